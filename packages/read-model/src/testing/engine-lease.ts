// The engine that this process of tests has for itself, lent by the test runner's process (`engine-pool.ts`).

import { Agent, get, type IncomingMessage } from 'node:http'
import { inject } from 'vitest'
import { type ClickHouseAddress, type ClickHouseConnection, openClickHouse } from '../connection.ts'
import type { HostUser } from '../host/credentials.ts'
import type { TestDatabase } from './test-engine.ts'

/** What the pool answers to `GET /lease`, as a line of JSON. */
export interface LeasedEngine {
  readonly id: string
  /** By secret, for connections of this process. */
  readonly direct: Readonly<Record<HostUser, ClickHouseAddress>>
  /** By user and password, as of a ClickHouse server. */
  readonly byPassword: Readonly<Record<HostUser, ClickHouseAddress>>
}

let leased: Promise<LeasedEngine> | undefined

/** A database on the engine of this process, which gets one at the first call and has it until it ends. `empty`: without tables. */
export async function leaseDatabase({ empty = false }: { readonly empty?: boolean } = {}): Promise<TestDatabase> {
  leased ??= lease(inject('enginePoolUrl'))
  const engine = await leased
  const databases = `${inject('enginePoolUrl')}/lease/${engine.id}/databases`
  const name = await ask(empty ? `${databases}?empty` : databases, 'POST')
  const own: ClickHouseConnection[] = []
  let released: Promise<void> | undefined
  const release = async (): Promise<void> => {
    await Promise.all(own.map((connection) => connection.close()))
    await ask(`${databases}/${name}`, 'DELETE')
  }
  return {
    name,
    address: (user) => ({ ...engine.byPassword[user], database: name }),
    connect: (user) => {
      const connection = openClickHouse({ ...engine.direct[user], database: name })
      own.push(connection)
      return connection
    },
    release: () => {
      released ??= release()
      return released
    },
  }
}

/** The answer stays open: its end, also that of a killed process, gives the engine back. */
async function lease(poolUrl: string): Promise<LeasedEngine> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${poolUrl}/lease`, { agent: new Agent({ keepAlive: false }) }, resolve).on('error', reject)
  })
  response.socket.unref() // not a reason for this process to stay
  const [line] = await new Promise<string[]>((resolve, reject) => {
    response.setEncoding('utf8').once('data', (text: string) => resolve(text.split('\n')))
    response.once('error', reject)
  })
  if (response.statusCode !== 200) throw new Error(`The test runner lent no engine: ${line}`)
  return JSON.parse(line as string) as LeasedEngine
}

async function ask(url: string, method: string): Promise<string> {
  const response = await fetch(url, { method })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
