// Statements sent as plain HTTP, as other programs send them: the engine's answer without a client library.

import type { HostUser } from '../host/credentials.ts'
import type { ClickHouseHost } from '../host/start-host.ts'

export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: Headers
}

export async function send(url: string, statement: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: statement, headers: { connection: 'close', ...headers } })
  return { status: response.status, body: await response.text(), headers: response.headers }
}

export function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
}

/** The number of ClickHouse's error in `body`; null when it is an answer. */
export function numberOf(body: string): number | null {
  const code = /^Code: (\d+)\./.exec(body)?.[1]
  return code === undefined ? null : Number(code)
}

/** The engine's answer to a statement of `user`: its text, or the error code. */
export async function runStatement(host: ClickHouseHost, user: HostUser, statement: string): Promise<string | number> {
  const { url, headers = {} } = host.address(user)
  const { body } = await send(url, statement, headers)
  return numberOf(body) ?? body.trim()
}

/** The address for analysts. @throws when the engine is not confined. */
export function analystOf({ analyst, unconfined }: ClickHouseHost): { url: string; user: string; password: string } {
  if (analyst === null) throw new Error(`The engine is not confined: ${unconfined}.`)
  return analyst
}

/** The same as `runStatement`, by the address for analysts and their password. */
export async function runAsAnalyst(host: ClickHouseHost, statement: string): Promise<string | number> {
  const { url, user, password } = analystOf(host)
  const { body } = await send(url, statement, basic(user, password))
  return numberOf(body) ?? body.trim()
}
