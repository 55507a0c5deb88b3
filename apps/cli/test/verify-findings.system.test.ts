// What `orrery verify` names of an index whose log or rows were changed, and that a repair makes the rows equal again.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeSlice, encodeSlice, openLog, sliceTopic, storedSlices } from '@orrery/event-log'
import type { Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { openClickHouse } from '@orrery/read-model'
import { startFakeRpc } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRunning } from '../src/running-file.ts'
import type { Verification } from '../src/verify/verification.ts'
import { appendAltered } from './lossy-log.ts'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-verify-findings-'))
const data = join(folder, 'data')
const lake = shortLake(join(folder, 'lake'), 4)
/** Of the recording. */
const FIRST_LEDGER = 1_000_000
const alteredLog = `lmdb:${join(folder, 'altered')}`
/** The last slice of Soroswap with an entry, which is altered. */
let altered: { readonly ledger: number; readonly partition: number; readonly key: string; readonly contract: string }
let up: Orrery

beforeAll(async () => {
  up = new Orrery(upArguments(lake, data))
  await up.result<Ready>()
  await up.result() // caught up
  altered = await alterLog()
})
afterAll(async () => {
  await up?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * A log with the slices of the lake, in one of which the last byte of an entry's value is another. Its checksum is that of the altered bytes and its
 * rolling hash that of the original ones, as if a program had changed the records.
 */
async function alterLog(): Promise<typeof altered> {
  const network = await loadNetwork(lake.registry)
  const topic = sliceTopic(network.name, 'soroswap')
  // An owned record is in one partition alone.
  const isValue = ({ class: kind, record }: Slice['records'][number]): boolean =>
    kind === 'owned' && record.kind === 'entry' && record.change !== 'bootstrap' && record.value !== null
  let last = { ledger: 0, partition: 0 }
  {
    await using whole = await openLog(`lmdb:${join(folder, 'whole')}`)
    await appendAltered(whole, network, lake.directory, (_, value) => [value])
    for (let partition = 0; partition < 4; partition++)
      for await (const { ledger, records } of storedSlices(whole, { topic, partition }, { ledger: FIRST_LEDGER - 1, offset: 0n }))
        if (ledger > last.ledger && records.some(isValue)) last = { ledger, partition }
  }
  await using log = await openLog(alteredLog)
  let found: typeof altered | null = null
  await appendAltered(log, network, lake.directory, (to, value) => {
    if (to.topic !== topic || to.partition !== last.partition) return [value]
    const slice = decodeSlice(value)
    if (slice.ledger !== last.ledger) return [value]
    const at = slice.records.findLastIndex(isValue)
    const records = slice.records.map((one, n) => {
      if (n !== at || one.record.kind !== 'entry' || one.record.value === null) return one
      const bytes = Uint8Array.from(one.record.value)
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
      found = { ...last, contract: one.record.contract, key: Buffer.from(one.record.key).toString('base64') }
      return { ...one, record: { ...one.record, value: bytes } }
    })
    return encodeSlice({ ...slice, records })
  })
  if (found === null) throw new Error('no slice was altered')
  return found
}

/** `orrery verify --json` on the running folder. */
async function verify(...args: string[]): Promise<{ code: number | null; stderr: string; found: Verification }> {
  const { code, stdout, stderr } = await orrery(['verify', '--data', data, '--json', ...args])
  return { code, stderr, found: JSON.parse(stdout[0] ?? 'null') }
}

async function admin<T>(work: (connection: ReturnType<typeof openClickHouse>) => Promise<T>): Promise<T> {
  const address = readRunning(data)?.admin
  if (address === undefined) throw new Error('nothing runs on the folder')
  await using connection = openClickHouse(address)
  return await work(connection)
}
const damage = (query: string): Promise<unknown> =>
  admin(({ client }) => client.command({ query, clickhouse_settings: { mutations_sync: '1' } }))

describe('a log whose records were changed under their rolling hash', () => {
  /** The altered log beside the tables of the running index. */
  async function verifyAltered(...args: string[]): Promise<Awaited<ReturnType<typeof verify>>> {
    return await verify('--network', lake.registry, '--log', alteredLog, ...args)
  }

  it('the slice is named with its partition and ledger, by the rolling hash and by the source', async () => {
    const { code, found, stderr } = await verifyAltered('--lake', lake.directory)
    expect(code, stderr).toBe(1)
    const { ledger, partition } = altered
    const where = expect.stringMatching(new RegExp(`soroswap\\.slices\\.v1/${partition}$`))
    expect(found.findings.filter(({ check }) => check === 'log')).toMatchObject([
      {
        where,
        ledger,
        message: expect.stringContaining(`The records of soroswap/${partition} at ledger ${ledger} are not the ones that ingest wrote`),
      },
    ])
    expect(found.findings.filter(({ check }) => check === 'source')).toMatchObject([
      { where, ledger, message: expect.stringMatching(/^records differ from number \d+ on/) },
    ])
    // The rows before it are compared, and they are right.
    expect(found).toMatchObject({ tables: [], toLedger: ledger - 2 })
  })

  it('a sample of entries from an RPC names the changed one, and finds all of an unchanged log equal', async () => {
    await using node = await startFakeRpc({ ledgers: lake.directory, latest: lake.lastLedger })
    const args = ['--rpc', node.url, '--sample', '100000']
    const whole = await verify(...args)
    expect(whole.code, whole.stderr).toBe(0)
    const entries = whole.found.checks.find(({ check }) => check === 'entries')
    expect(entries).toMatchObject({ status: 'equal' })
    expect(entries?.compared).toBeGreaterThan(50)
    expect(node.requests.filter(({ method }) => method === 'getLedgerEntries').length).toBeGreaterThan(0)

    const { code, found } = await verifyAltered(...args)
    expect(code).toBe(1)
    const { key, contract, ledger, partition } = altered
    expect(found.findings.filter(({ check }) => check === 'entries')).toMatchObject([
      {
        where: expect.stringMatching(new RegExp(`/${partition}$`)),
        key: { key, contract },
        ledger,
        message: expect.stringContaining('is not that of the network'),
      },
    ])
    const few = await verify('--rpc', node.url, '--sample', '7')
    expect(few.found.checks.find(({ check }) => check === 'entries')?.detail).toContain('entries of 7 sampled')
    const none = await verify('--rpc', node.url, '--sample', '0')
    expect(none.found.checks.find(({ check }) => check === 'entries')).toMatchObject({ status: 'not_checked', detail: 'the sample is 0' })
  })
})

describe('a state value that was altered', () => {
  type State = { readonly contract: string; readonly key: string; readonly ledger: number; readonly value: string }
  const stateOf = async (table: string): Promise<State> => {
    const query = `SELECT contract, key, ledger, value FROM ${table} FINAL WHERE protocol = 'blend' AND value LIKE '{%' ORDER BY ledger DESC, key, contract LIMIT 1`
    const [row] = await admin(async ({ client }) => (await client.query({ query, format: 'JSONEachRow' })).json<State>())
    if (row === undefined) throw new Error(`${table} has no such row`)
    return row
  }

  it.each(['state_v1', 'state_latest_v1'])(
    'in %s it is named with table, key, ledger and both values, and a repair makes it equal',
    async (table) => {
      const { contract, key, ledger, value } = await stateOf(table)
      await damage(
        `ALTER TABLE ${table} UPDATE value = '{"altered":1}' WHERE protocol = 'blend' AND (contract, key) = ('${contract}', '${key}') AND ledger = ${ledger}`,
      )
      const { code, found } = await verify()
      expect(code).toBe(1)
      expect(found.tables).toMatchObject([
        {
          ...{ table, counts: { missing: 0, extra: 0, changed: 1 }, firstLedger: ledger, lastLedger: ledger },
          examples: [
            { kind: 'changed', ledger, key: { contract, key }, columns: [{ column: 'value', stored: '{"altered":1}', expected: value }] },
          ],
        },
      ])
      expect(found.repairs).toMatchObject([{ protocol: 'blend', fromLedger: ledger, toLedger: ledger }])
      const text = await orrery(['verify', '--data', data])
      expect(text.stdout.join('\n')).toContain(`${table}: 0 missing, 0 extra, 1 changed, in ledgers ${ledger.toLocaleString('en-US')}`)

      const repaired = await orrery(['replay', 'blend', '--same-version', '--data', data, '--json'])
      expect(repaired.code, repaired.stderr).toBe(0)
      expect(await stateOf(table)).toMatchObject({ value })
      expect((await verify()).found).toMatchObject({ verdict: 'equal', tables: [] })
    },
  )
})

describe('arguments that name no ledgers', () => {
  it('a range that ends before it begins is refused, and nothing is compared', async () => {
    const { code, found, stderr } = await verify('--from', '1000100', '--to', '1000050')
    expect({ code, found }).toEqual({ code: 2, found: null })
    expect(stderr).toContain('--from 1000100 is after --to 1000050. Nothing was compared.')
  })

  it('a range beyond the newest complete ledger is refused with that ledger', async () => {
    const { code, stderr } = await verify('--from', String(lake.lastLedger + 1))
    expect(code).toBe(2)
    expect(stderr).toContain(`the index is complete up to ledger ${lake.lastLedger}. Nothing was compared.`)
  })

  it('a range that ends beyond it, or begins before the index, is compared for the ledgers that the index has', async () => {
    const { code, found } = await verify('--from', '1', '--to', String(lake.lastLedger + 1_000))
    expect(code).toBe(0)
    expect(found).toMatchObject({ verdict: 'equal', fromLedger: FIRST_LEDGER, toLedger: lake.lastLedger })
  })

  it.each([
    ['--from', '0'],
    ['--to', 'newest'],
    ['--sample', '-1'],
    ['--sample', '100001'],
  ])('%s %s is refused', async (name, value) => {
    const { code, stderr } = await verify(`${name}=${value}`)
    expect(code).toBe(2)
    expect(stderr).toContain(`${name} (or ORRERY_${name.slice(2).toUpperCase()}) must be a whole number from`)
  })
})
