import { z } from 'zod'
import { refuseCredential } from '../middleware/gate.ts'
import { defineManagementRoute } from './management-route.ts'

const Body = z.strictObject({ refresh_token: z.string('must be text.') })

/** Ends the session of a refresh token, with its access tokens. Takes the refresh token, because the access token may have expired. */
export const logOut = defineManagementRoute({
  operationId: 'logOut',
  method: 'post',
  path: '/v1/auth/logout',
  summary: 'End a session',
  description:
    'Ends the session of the refresh token on all instances at once. The answer is 204 also if the session has already ended. A valid token is never limited; an invalid one counts as a wrong credential of the address.',
  tagName: 'Authentication',
  credential: 'none',
  stability: 'experimental',
  params: z.strictObject({}),
  body: Body,
  status: 204,
  result: null,
  async handle({ body }, context) {
    const { access, address } = context
    const id = await access.tokens.sessionOf(body.refresh_token, 'refresh')
    if (id === null) {
      const message = 'Invalid refresh token in the member `refresh_token`. No session was ended.'
      return refuseCredential(address, context, { wanted: 'refresh-token', given: true, message })
    }
    // Read first, so that a token that is sent repeatedly causes no write.
    const session = await access.identity.sessionById(id)
    if (session !== null) await access.identity.endSession(id, { kind: 'user', id: session.userId, address })
    return null
  },
})
