// The three kinds of credentials of ClickHouse's HTTP interface, and the same errors that ClickHouse gives for wrong ones.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface GateAccount {
  readonly user: string
  readonly password: string
  /** The headers that the gate sends to the engine instead. */
  readonly secret: string
}

export interface Refusal {
  readonly status: 401 | 403
  /** Number and name of ClickHouse's error. */
  readonly code: number
  readonly name: string
  readonly message: string
}

interface Credentials {
  readonly user: string
  readonly password: string
}

const AUTHENTICATION_FAILED = { status: 403, code: 516, name: 'AUTHENTICATION_FAILED' } as const
const REQUIRED_PASSWORD = { status: 401, code: 194, name: 'REQUIRED_PASSWORD' } as const

/** The account of a request, or the error. `query` is its query string. */
export function accountOf(accounts: readonly GateAccount[], headers: IncomingHttpHeaders, query: URLSearchParams): GateAccount | Refusal {
  const { authorization } = headers
  const basic = authorization === undefined ? null : fromBasic(authorization)
  if (authorization !== undefined && basic === null)
    return { ...AUTHENTICATION_FAILED, message: 'Invalid authentication: only the Basic scheme of Authorization is supported' }
  const found = [basic, fromHeaders(headers), fromQuery(query)].filter((it) => it !== null)
  const [credentials] = found
  if (credentials === undefined) {
    const ways = 'Basic authorization, the headers X-ClickHouse-User and X-ClickHouse-Key, or the parameters user and password'
    return { ...REQUIRED_PASSWORD, message: `Authentication required: give the user and its password with ${ways}` }
  }
  if (found.length > 1)
    return {
      ...AUTHENTICATION_FAILED,
      message: 'Invalid authentication: it is not allowed to use several ways of authentication simultaneously',
    }
  // Every account is compared, so that the time does not reveal which one nearly matched.
  const matching = accounts.filter((account) => same(account, credentials))
  const message = `${credentials.user}: Authentication failed: password is incorrect, or there is no user with such name`
  return matching[0] ?? { ...AUTHENTICATION_FAILED, message }
}

function fromBasic(authorization: string): Credentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization)?.[1]
  if (encoded === undefined) return null
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return { user, password: rest.join(':') }
}

function fromHeaders(headers: IncomingHttpHeaders): Credentials | null {
  const user = headers['x-clickhouse-user']
  const password = headers['x-clickhouse-key']
  if (user === undefined && password === undefined) return null
  return { user: String(user ?? ''), password: String(password ?? '') }
}

function fromQuery(query: URLSearchParams): Credentials | null {
  if (!query.has('user') && !query.has('password')) return null
  return { user: query.get('user') ?? '', password: query.get('password') ?? '' }
}

function same(account: Credentials, given: Credentials): boolean {
  const user = timingSafeEqual(digest(account.user), digest(given.user))
  const password = timingSafeEqual(digest(account.password), digest(given.password))
  return user && password
}

/** Digests of equal length, for any input. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
