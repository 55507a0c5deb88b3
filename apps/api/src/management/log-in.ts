import { createHash } from 'node:crypto'
import type { OrreryError } from '@orrery/errors'
import { ACCESS_SECONDS, type Actor, REFRESH_SECONDS, type Wait } from '@orrery/identity'
import { z } from 'zod'
import { countedAddress } from '../client-address.ts'
import { refuseCredential, tooMany } from '../middleware/gate.ts'
import { defineManagementRoute } from './management-route.ts'

const Body = z.strictObject({
  email: z.string('must be text.'),
  password: z.string('must be text.'),
})

const TokenPair = z
  .strictObject({
    access_token: z.string().describe('JWT for `authorization: Bearer`.'),
    refresh_token: z.string().describe('JWT for `POST /v1/auth/refresh`, good for 30 days or until the password changes.'),
    expires_in: z.int().describe('Seconds of life of the access token.'),
  })
  .meta({ id: 'TokenPair' })

/** A token pair for who knows the password. Whatever is wrong gets the same words after the same work. */
export const logIn = defineManagementRoute({
  method: 'post',
  path: '/v1/auth/login',
  summary: 'Log in with e-mail address and password',
  description: 'After 10 wrong passwords for an account or 50 wrong credentials from an address within 15 minutes: 429.',
  tagName: 'Authentication',
  credential: 'none',
  params: z.strictObject({}),
  body: Body,
  status: 200,
  result: TokenPair,
  async handle({ body }, context) {
    const { access, address, clock, signal } = context
    const account = accountOf(body.email)
    const isDoubted = (await access.failures.wait(countedAddress(address))) !== null
    const inTurn = isDoubted ? access.doubtedPasswords : access.passwords
    const user = await inTurn(async () => {
      // Looked at in turn, right before the work: many guesses at once cannot pass together.
      const held = await access.logins.wait(account)
      if (held !== null) throw lockedFor(held)
      const found = await access.identity.userOfPassword(body.email, body.password)
      // Others may have been counted while this one was checked: of all at once, and on all instances, ten are told that they were wrong.
      const over = found === null ? await access.logins.fail(account) : null
      if (over !== null) throw lockedFor(over)
      return found
    }, signal)
    if (user === null) {
      const message = 'Wrong e-mail address or password.'
      return refuseCredential(address, context, { wanted: 'password', given: true, message })
    }
    await access.logins.forgive(account)
    const by: Actor = { kind: 'user', id: user.id, address }
    const expiresAtMs = clock.nowMs() + REFRESH_SECONDS * 1000
    const session = { id: await access.identity.addSession(user, expiresAtMs, by), userId: user.id }
    const [access_token, refresh_token] = await Promise.all([access.tokens.access(session), access.tokens.refresh(session, expiresAtMs)])
    return { access_token, refresh_token, expires_in: ACCESS_SECONDS }
  },
})

function lockedFor({ retryAfterSeconds }: Wait): OrreryError {
  return tooMany('Too many wrong passwords were given for this account. Wait for the seconds in `Retry-After`.', retryAfterSeconds)
}

/** What wrong passwords are counted by, whether there is such an account or not. A digest: counts may lie in a Redis that others read. */
function accountOf(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex')
}
