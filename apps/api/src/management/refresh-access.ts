import { ACCESS_SECONDS } from '@orrery/identity'
import { z } from 'zod'
import { refuseCredential } from '../middleware/gate.ts'
import { defineManagementRoute } from './management-route.ts'

const Body = z.strictObject({ refresh_token: z.string('must be text.') })

const Result = z
  .strictObject({
    access_token: z.string().describe('JWT for `authorization: Bearer`.'),
    expires_in: z.int().describe('Lifetime of the access token in seconds.'),
  })
  .meta({ id: 'AccessToken' })

/** A new access token for a session that is still valid. */
export const refreshAccess = defineManagementRoute({
  operationId: 'refreshAccess',
  method: 'post',
  path: '/v1/auth/refresh',
  summary: 'Get a new access token without logging in again',
  description:
    'The refresh token stays valid for 30 days, until a logout, a revocation, or a change of the password. The request counts as one of the organization.',
  tagName: 'Authentication',
  credential: 'none',
  isCounted: true,
  params: z.strictObject({}),
  body: Body,
  status: 200,
  result: Result,
  async handle({ body }, context) {
    const { access, address, take } = context
    const id = await access.tokens.sessionOf(body.refresh_token, 'refresh')
    const session = id === null ? null : await access.identity.sessionById(id)
    if (session !== null) {
      await take(session)
      return { access_token: await access.tokens.access(session), expires_in: ACCESS_SECONDS }
    }
    const message = 'Invalid refresh token in the member `refresh_token`. Log in again with `POST /v1/auth/login`.'
    return refuseCredential(address, context, { wanted: 'refresh-token', given: true, message })
  },
})
