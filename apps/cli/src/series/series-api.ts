// A series of an API as CSV, page after page.

import { setTimeout as delay } from 'node:timers/promises'
import { OrreryError, reasonOf } from '@orrery/errors'
import { z } from 'zod'

export interface SeriesPage {
  readonly csv: string
  /** Codes of the warnings of the answer, but for those about points that the next page has. */
  readonly warnings: readonly string[]
}

/** A minute, after which a key has its units again, and some. */
const LONGEST_WAIT_SECONDS = 65
const MOST_WAITS = 10

const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) })

/**
 * What the API serves at `/openapi.json`. No key is sent.
 * @throws OrreryError `unavailable`/`api_unreachable`, `invalid`/`api_document_absent`.
 */
export async function loadDocument(url: string): Promise<unknown> {
  const response = await send(url, '/openapi.json', {})
  if (!response.ok) throw documentAbsent(url)
  return response.json().catch(() => null)
}

export function documentAbsent(url: string): OrreryError {
  const message = `${url} serves no OpenAPI document of Orrery at /openapi.json that has series. Nothing was written.\nGive the address of the Orrery API, without /v1, with --url or ORRERY_URL.`
  return new OrreryError('invalid', 'api_document_absent', message)
}

/**
 * The pages of a request, the first one first: a page has earlier points than the page before it.
 * @throws OrreryError `invalid`/`request_refused`, `unavailable`/`api_unreachable`.
 */
export async function* seriesPages(url: string, apiKey: string, request: string): AsyncGenerator<SeriesPage, void> {
  for (let next: string | undefined = request; next !== undefined; ) {
    const response = await send(url, next, { accept: 'text/csv', 'x-service-api-key': apiKey })
    if (!response.headers.get('content-type')?.startsWith('text/csv')) throw await refused(url, next, response)
    const csv = await response.text().catch((error) => Promise.reject(unreachable(url, reasonOf(error))))
    const { headers } = response
    const warnings = (headers.get('x-orrery-warnings') ?? '').split(', ').filter((code) => code !== '' && code !== 'history_cut')
    yield { csv, warnings }
    next = /^<(\/v1\/[^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
}

/** Waits where the units of the key are used up. A redirect would carry the key to an address that the caller has not named. */
async function send(url: string, path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  for (let waits = 0; ; waits++) {
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, { headers, redirect: 'error' }).catch((error) => {
      throw unreachable(url, reasonOf(error.cause ?? error))
    })
    if (response.status !== 429 && response.status < 500) return response
    const { status } = response
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    if (status !== 429 || waits >= MOST_WAITS || !(seconds <= LONGEST_WAIT_SECONDS)) throw unreachable(url, await reasonIn(response))
    await response.body?.cancel()
    await delay(seconds * 1000)
  }
}

async function refused(url: string, request: string, response: Response): Promise<OrreryError> {
  const message = `The API at ${url} has no points for ${request}: ${await reasonIn(response)} Nothing was written.`
  return new OrreryError('invalid', 'request_refused', message)
}

async function reasonIn(response: Response): Promise<string> {
  const { data } = Refusal.safeParse(await response.json().catch(() => null))
  const status = `the response has the status ${response.status}`
  return data === undefined ? `${status}.` : `${status}, ${data.error.code}. ${data.error.message}`
}

function unreachable(url: string, reason: string): OrreryError {
  const message = `The Orrery API at ${url} does not answer: ${reason.replace(/\.$/, '')}. Nothing was written.\nStart it (\`orrery up\`), or give its address with --url or ORRERY_URL.`
  return new OrreryError('unavailable', 'api_unreachable', message)
}
