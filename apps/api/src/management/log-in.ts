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
    refresh_token: z
      .string()
      .describe('JWT for `POST /v1/auth/refresh`. Valid for 30 days, until a logout, or until the password changes.'),
    expires_in: z.int().describe('Lifetime of the access token in seconds.'),
  })
  .meta({ id: 'TokenPair' })

/** A token pair for a correct password. Every failure gets the same message after the same work, so that a client cannot learn which accounts exist. */
export const logIn = defineManagementRoute({
  operationId: 'logIn',
  method: 'post',
  path: '/v1/auth/login',
  summary: 'Log in with e-mail address and password',
  description: `A login counts as a request of the organization. A user has at most 20 sessions; the 21st login ends the oldest.

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
    const user = await withinLoginLimits(() => userOf(body, context), context)
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
 * Checks a password within the limits. Addresses with too many wrong credentials may make one login per second and have a queue of their own.
 * The limit is checked before and after the wait: of many simultaneous logins, the first ones are counted only while the others wait.
 */
async function withinLoginLimits<T>(check: () => Promise<T>, { access, address, signal }: ManagementContext): Promise<T> {
  const from = countedAddress(address)
  const isSuspect = async () => (await access.failures.wait(from)) !== null
  const checkSuspect = async (): Promise<T> => {
    const wait = await access.suspectLogins.take(from)
    if (wait === null) return access.suspectPasswords(check, signal)
    const message =
      'Too many wrong credentials came from this address. This address is limited to one login per second. Try again after the number of seconds in `Retry-After`.'
    throw tooMany(message, wait.retryAfterSeconds)
  }
  try {
    if (await isSuspect()) return await checkSuspect()
    const checked = await access.passwords(async () => ((await isSuspect()) ? null : { result: await check() }), signal, from)
    return checked === null ? await checkSuspect() : checked.result
  } catch (error) {
    if (!(error instanceof TooManyWaiting)) throw error
    throw tooMany('Too many logins are waiting. Try again after the number of seconds in `Retry-After`.', QUEUE_SECONDS)
  }
}

/** Time after which a full queue is shorter. */
const QUEUE_SECONDS = 2

/** Null for a wrong password. Throws 429 for an account that is locked. */
async function userOf({ email, password }: z.output<typeof Body>, context: ManagementContext): Promise<ProvenUser | null> {
  const { access, address } = context
  const { identity, logins } = access
  const from = countedAddress(address)
  const attempt: LoginAttempt = { email, address: from, facts: await identity.loginFacts(email, from) }
  // Checked right before the work, so that many simultaneous guesses cannot pass together.
  const held = await logins.admit(attempt)
  if (held !== null) throw lockedFor(held.retryAfterSeconds)
  const found = await identity.userOfPassword(email, password)
  if (found === null) await countWrongPassword(attempt, context)
  else await logins.succeed(attempt)
  return found
}

/** Throws 429 if other attempts were counted in the meantime: of all simultaneous attempts on all instances, ten get 401. */
async function countWrongPassword(attempt: LoginAttempt, { access, address, logger }: ManagementContext): Promise<void> {
  const { wait, reached } = await access.logins.fail(attempt)
  // The log has the user id instead of the e-mail address, because the text that was typed there may be a password.
  const { userId } = attempt.facts
  // An unknown e-mail address belongs to no organization whose audit log could have the entry, and its text may be long.
  if (userId !== null) access.failedLogins.add({ email: attempt.email.trim(), address, reached })
  for (const limit of reached) logger.warn({ limit, address, userId }, 'Wrong passwords for an account have reached a limit')
  if (wait !== null) throw lockedFor(wait.retryAfterSeconds)
}

function lockedFor(retryAfterSeconds: number) {
  return tooMany(
    'Too many wrong passwords were given for this account. Try again after the number of seconds in `Retry-After`.',
    retryAfterSeconds,
  )
}
