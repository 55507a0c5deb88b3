// Tokens for SASL OAUTHBEARER: from a file that another program renews, or from a token endpoint by client credentials (RFC 6749, section 4.4).

import { readFile } from 'node:fs/promises'
import { OrreryError, reasonOf } from '@orrery/errors'
import { z } from 'zod'

/** A token is replaced this long before it expires, or after four fifths of its life where that is later. */
const RENEW_BEFORE_MS = 30_000
const USED_PART_OF_LIFE = 0.8
/** Where the endpoint names no lifetime, a token is used for one authentication. */
const UNKNOWN_LIFETIME_S = 0
const ANSWER_WITHIN_MS = 10_000

const Answer = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().nonnegative().default(UNKNOWN_LIFETIME_S) })

export type TokenSource = () => Promise<{ readonly value: string }>

export interface ClientCredentials {
  readonly url: string
  readonly clientId: string
  readonly clientSecretFile: string
  readonly scope?: string | undefined
}

/** Reads the file for each authentication. @throws OrreryError `invalid`/`log_token_unavailable`. */
export function tokenFromFile(path: string): TokenSource {
  return async () => ({ value: await secretOf(path, 'token') })
}

/** Requests a token once for all connections, and again shortly before it expires. @throws OrreryError `log_token_unavailable`. */
export function tokenFromEndpoint(credentials: ClientCredentials): TokenSource {
  let known: { readonly value: string; readonly untilMs: number } | null = null
  let requested: Promise<{ readonly value: string }> | null = null
  const request = async (): Promise<{ readonly value: string }> => {
    const sentMs = performance.now()
    const { access_token: value, expires_in } = await requestToken(credentials)
    const lifeMs = expires_in * 1000
    known = { value, untilMs: sentMs + Math.max(lifeMs - RENEW_BEFORE_MS, lifeMs * USED_PART_OF_LIFE) }
    return { value }
  }
  return async () => {
    if (known !== null && performance.now() < known.untilMs) return { value: known.value }
    requested ??= request().finally(() => {
      requested = null
    })
    return requested
  }
}

async function requestToken({ url, clientId, clientSecretFile, scope }: ClientCredentials): Promise<z.output<typeof Answer>> {
  const secret = await secretOf(clientSecretFile, 'client secret')
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) })
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  let response: Response
  try {
    response = await fetch(url, { method: 'POST', headers: { authorization: `Basic ${basic}`, accept: 'application/json' }, body, signal })
  } catch (cause) {
    throw endpointDown(url, reasonOf(cause), cause)
  }
  if (response.status >= 500 || response.status === 429) throw endpointDown(url, `HTTP ${response.status}`)
  const answer = Answer.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (answer.success) return answer.data
  const message = `The token endpoint ${new URL(url).origin} gives no token: HTTP ${response.status}. What was acknowledged is safe. Check client id, secret and scope; then start again.`
  throw new OrreryError('invalid', 'log_token_unavailable', message)
}

/** Tried again like a broker that is down. */
function endpointDown(url: string, reason: string, cause?: unknown): OrreryError {
  const message = `The token endpoint ${new URL(url).origin} for Kafka does not answer: ${reason}. What was acknowledged is safe. Check that it runs and can be reached from here; then start again.`
  return new OrreryError('unavailable', 'log_unreachable', message, cause === undefined ? {} : { cause })
}

async function secretOf(path: string, what: string): Promise<string> {
  const text = await readFile(path, 'utf8').then(
    (content) => content.trim(),
    (cause: unknown) => {
      throw unreadable(`The file with the ${what} for Kafka cannot be read: ${reasonOf(cause)}.`, cause)
    },
  )
  if (text === '') throw unreadable(`The file with the ${what} for Kafka is empty: ${path}.`)
  return text
}

function unreadable(problem: string, cause?: unknown): OrreryError {
  const message = `${problem} What was acknowledged is safe. Write the file; then start again.`
  return new OrreryError('invalid', 'log_token_unavailable', message, cause === undefined ? {} : { cause })
}
