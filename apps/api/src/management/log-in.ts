import { createHash } from 'node:crypto'
import type { OrreryError } from '@orrery/errors'
import { ACCESS_SECONDS, type Actor, type ProvenUser, REFRESH_SECONDS, type Wait } from '@orrery/identity'
import { z } from 'zod'
import type { Access } from '../access.ts'
import { countedAddress } from '../client-address.ts'
import { refuseCredential, tooMany } from '../middleware/gate.ts'
import { defineManagementRoute, type ManagementContext } from './management-route.ts'

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
    const { access, address, clock } = context
    const user = await inItsTurn(() => userOf(body, access), context)
    if (user === null) {
      const message = 'Wrong e-mail address or password.'
      return refuseCredential(address, context, { wanted: 'password', given: true, message })
    }
    await access.logins.forgive(accountOf(body.email))
    const by: Actor = { kind: 'user', id: user.id, address }
    const expiresAtMs = clock.nowMs() + REFRESH_SECONDS * 1000
    const session = { id: await access.identity.addSession(user, expiresAtMs, by), userId: user.id }
    const [access_token, refresh_token] = await Promise.all([access.tokens.access(session), access.tokens.refresh(session, expiresAtMs)])
    return { access_token, refresh_token, expires_in: ACCESS_SECONDS }
  },
})

/**
 * Addresses with too many wrong credentials have a turn of their own. Looked at before the wait and after it: of many logins at once the first
 * have to be counted before the others are in doubt, and those must not hold up everybody else.
 */
async function inItsTurn<T>(check: () => Promise<T>, { access, address, signal }: ManagementContext): Promise<T> {
  const isDoubted = async () => (await access.failures.wait(countedAddress(address))) !== null
  const checked = (await isDoubted())
    ? null
    : await access.passwords(async () => ((await isDoubted()) ? null : { result: await check() }), signal)
  return checked === null ? access.doubtedPasswords(check, signal) : checked.result
}

/** Null for a wrong password. Throws 429 for an account that is locked. */
async function userOf({ email, password }: z.output<typeof Body>, { identity, logins }: Access): Promise<ProvenUser | null> {
  const account = accountOf(email)
  // Looked at right before the work: many guesses at once cannot pass together.
  const held = await logins.wait(account)
  if (held !== null) throw lockedFor(held)
  const found = await identity.userOfPassword(email, password)
  // Others may have been counted while this one was checked: of all at once, and on all instances, ten are told that they were wrong.
  const over = found === null ? await logins.fail(account) : null
  if (over !== null) throw lockedFor(over)
  return found
}

function lockedFor({ retryAfterSeconds }: Wait): OrreryError {
  return tooMany('Too many wrong passwords were given for this account. Wait for the seconds in `Retry-After`.', retryAfterSeconds)
}

/** What wrong passwords are counted by, whether there is such an account or not. A digest: counts may lie in a Redis that others read. */
function accountOf(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex')
}
