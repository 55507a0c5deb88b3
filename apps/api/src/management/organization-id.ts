// The organization of an access token.

import { assert } from '@orrery/errors'
import type { ManagementContext } from './management-route.ts'

/** For routes whose credential is `bearer`: their middleware refuses requests without a session. */
export function organizationIdOf({ session }: ManagementContext): string {
  assert(session !== null, 'A route asked for the session of a credential that has none.')
  return session.organizationId
}
