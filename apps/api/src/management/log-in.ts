import { ACCESS_SECONDS, type Actor, type LoginAttempt, type ProvenUser, REFRESH_SECONDS } from '@orrery/identity'
import { z } from 'zod'
import { countedAddress } from '../client-address.ts'
import { TooManyWaiting } from '../limit-concurrency.ts'
import { refuseCredential, tooMany } from '../middleware/gate.ts'
import { defineManagementRoute, type ManagementContext } from './management-route.ts'

const Body = z.strictObject({
  email: z.string('must be text.'),
  password: z.string('must be text.'),
})

const TokenPair = z
  .strictObject({
    access_token: z.string().describe('JWT for `authorization: Bearer`.'),
    refresh_token: z.string().describe('JWT for `POST /v1/auth/refresh`, good for 30 days, until a logout or until the password changes.'),
    expires_in: z.int().describe('Seconds of life of the access token.'),
  })
  .meta({ id: 'TokenPair' })

/** A token pair for who knows the password. Whatever is wrong gets the same words after the same work. */
export const logIn = defineManagementRoute({
  method: 'post',
  path: '/v1/auth/login',
  summary: 'Log in with e-mail address and password',
  description: `A login counts as a request of the organization. A user has at most 20 sessions. A 21st login ends the oldest.

Wrong passwords are limited (429):
- 10 in 15 minutes for an account lock it for the address that sent them.
- 100 in 24 hours for an account, from any addresses. Addresses that never logged in to the account then share one attempt per minute.
- 50 wrong credentials in 15 minutes from an address limit it to one login per second.`,
  tagName: 'Authentication',
  credential: 'none',
  isCounted: true,
  params: z.strictObject({}),
  body: Body,
  status: 200,
  result: TokenPair,
  async handle({ body }, context) {
    const { access, address, clock, take } = context
    const user = await inItsTurn(() => userOf(body, context), context)
    if (user === null) {
      const message = 'Wrong e-mail address or password.'
      return refuseCredential(address, context, { wanted: 'password', given: true, message })
    }
    await take(user)
    const by: Actor = { kind: 'user', id: user.id, address }
    const expiresAtMs = clock.nowMs() + REFRESH_SECONDS * 1000
    const session = { id: await access.identity.addSession(user, expiresAtMs, by), userId: user.id }
    await access.identity.rememberLoginAddress(user.id, countedAddress(address))
    const [access_token, refresh_token] = await Promise.all([access.tokens.access(session), access.tokens.refresh(session, expiresAtMs)])
    return { access_token, refresh_token, expires_in: ACCESS_SECONDS }
  },
})

/**
 * Addresses with too many wrong credentials have one login a second and a turn of their own. Looked at before the wait and after it: of many
 * logins at once the first have to be counted before the others are in doubt, and those must not hold up all others.
 */
async function inItsTurn<T>(check: () => Promise<T>, { access, address, signal }: ManagementContext): Promise<T> {
  const from = countedAddress(address)
  const isDoubted = async () => (await access.failures.wait(from)) !== null
  const doubted = async (): Promise<T> => {
    const wait = await access.doubtedLogins.take(from)
    if (wait === null) return access.doubtedPasswords(check, signal)
    const message =
      'Too many wrong credentials came from this address. This address is limited to one login per second. Wait for the seconds in `Retry-After`.'
    throw tooMany(message, wait.retryAfterSeconds)
  }
  try {
    if (await isDoubted()) return await doubted()
    const checked = await access.passwords(async () => ((await isDoubted()) ? null : { result: await check() }), signal, from)
    return checked === null ? await doubted() : checked.result
  } catch (error) {
    if (!(error instanceof TooManyWaiting)) throw error
    throw tooMany('Too many logins are waiting to be checked. Wait for the seconds in `Retry-After`.', LINE_SECONDS)
  }
}

/** For a full line to become shorter. */
const LINE_SECONDS = 2

/** Null for a wrong password. Throws 429 for an account that is locked. */
async function userOf({ email, password }: z.output<typeof Body>, context: ManagementContext): Promise<ProvenUser | null> {
  const { access, address } = context
  const { identity, logins } = access
  const from = countedAddress(address)
  const attempt: LoginAttempt = { email, address: from, facts: await identity.loginFacts(email, from) }
  // Looked at right before the work: many guesses at once cannot pass together.
  const held = await logins.admit(attempt)
  if (held !== null) throw lockedFor(held.retryAfterSeconds)
  const found = await identity.userOfPassword(email, password)
  if (found === null) await countWrongPassword(attempt, context)
  else await logins.succeed(attempt)
  return found
}

/** Throws 429 when others were counted meanwhile: of all that come at once, on all instances, ten are answered as wrong. */
async function countWrongPassword(attempt: LoginAttempt, { access, address, logger }: ManagementContext): Promise<void> {
  const { wait, reached } = await access.logins.fail(attempt)
  // The id and not the e-mail address goes into the log: what was typed there may be a password.
  const { userId } = attempt.facts
  // Other addresses have no organization whose log could hold it; and what a stranger types may be long.
  if (userId !== null) access.failedLogins.add({ email: attempt.email.trim(), address, reached })
  for (const limit of reached) logger.warn({ limit, address, userId }, 'Wrong passwords for an account have reached a limit')
  if (wait !== null) throw lockedFor(wait.retryAfterSeconds)
}

function lockedFor(retryAfterSeconds: number) {
  return tooMany('Too many wrong passwords were given for this account. Wait for the seconds in `Retry-After`.', retryAfterSeconds)
}
