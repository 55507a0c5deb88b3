// The organization that an access token speaks for.

import { assert } from '@orrery/errors'
import type { ManagementContext } from './management-route.ts'

/** For routes whose credential is `bearer`: the gate lets nobody through without a session. */
export function organizationIdOf({ session }: ManagementContext): string {
  assert(session !== null, 'A route asked for the session of a credential that has none.')
  return session.organizationId
}
