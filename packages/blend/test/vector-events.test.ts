// Real events: those of mainnet, and those of the executed contracts of both versions, whose positions must follow from them.
// The vectors are beside the repository; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readScVal, writeScVals } from '@orrery/ledger'
import { loadNetwork } from '@orrery/protocols'
import { foldAll, readUnzipped, Slicer, sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { readBackstopKey, readBackstopUser } from '../src/chain/backstop-entries.ts'
import { readBackstopEvent, readCometEvent, readEmitterEvent, readFactoryEvent } from '../src/chain/deployment-events.ts'
import { readContracts } from '../src/chain/entry-reader.ts'
import { readAuction, readPoolKey, readPositions } from '../src/chain/pool-entries.ts'
import { readPoolEvent } from '../src/chain/pool-events.ts'
import type { BlendVersion } from '../src/chain/values.ts'
import { scaleAuction } from '../src/math/auction-scale.ts'
import { blend } from '../src/protocol.ts'
import { allShares } from '../src/state/state.ts'
import { type ExecutedFile, entryValue, executedFile, networkOf, slicesOf } from './executed.ts'
import { shareChange } from './share-change.ts'

const vectors = join(sharedDir() ?? '', 'reference/vectors/blend.json')
const ledger = join(sharedDir() ?? '', 'ledgers/mainnet/ledger-63092996.xdr.gz')
const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
const report = (line: string) => process.stdout.write(`${line}\n`)

interface MainnetEvent {
  readonly role: string
  readonly topics: readonly string[]
  readonly data: string
}

describe.runIf(existsSync(vectors))('events of mainnet (from ../shared)', () => {
  it('every mainnet event of Blend is read', () => {
    const events = (JSON.parse(readFileSync(vectors, 'utf8')) as { mainnet_events: MainnetEvent[] }).mainnet_events
    const read = events.flatMap(({ role, topics, data }) => {
      const record = { topics: writeScVals(topics.map((topic) => readScVal(base64(topic)))), data: base64(data) }
      const version = role.endsWith('v1') ? 'v1' : 'v2'
      if (role.startsWith('pool factory')) return readFactoryEvent(record)
      if (role.startsWith('pool')) return readPoolEvent(record, version)
      if (role.startsWith('backstop')) return readBackstopEvent(record, version)
      if (role === 'emitter') return readEmitterEvent(record)
      return role === 'comet' ? readCometEvent(record) : []
    })
    expect(read.filter(({ name }) => name === 'unknown')).toEqual([])
    expect(read).toHaveLength(38)
  })
})

describe.runIf(existsSync(ledger))('a ledger of mainnet (from ../shared)', () => {
  it('a mainnet ledger gives what a vault supplied to a pool of the registry, though nothing was known before', async () => {
    const network = await loadNetwork('mainnet')
    const [slice] = new Slicer(network, blend.routing, 1).slices(await readUnzipped(ledger))
    if (slice === undefined) throw new Error('one partition makes one slice')
    const adapter = blend.adapter(network)
    const { activities, notices } = adapter.fold(adapter.load([], slice.ledger - 1), slice)
    expect(activities).toMatchObject([
      {
        activityType: 'deposit',
        address: 'CDB2WMKQQNVZMEBY7Q7GZ5C7E7IAFSNMZ7GGVD6WKTCEWK7XOIAVZSAP',
        contract: 'CAJJZSGMMM3PD7N33TAPHGBUGTB43OC73HVIK2L2G6BNGGGYOSSYBXBD',
        assetSymbol: 'USDC',
        amount: 1_000_000_000n,
        shareAmount: 887_876_159n,
        shareType: 'b_token',
        metadata: { event: 'supply', version: 'v2' },
      },
    ])
    expect(notices).toEqual([])
  })
})

describe.each(['v1', 'v2'] as const satisfies readonly BlendVersion[])('the executed contracts of %s (from ../shared)', (version) => {
  const file = executedFile(version)
  const given = (): ExecutedFile => {
    if (file === null) throw new Error('the vectors are not there')
    return file
  }

  it.runIf(file !== null)('the events of the executed contracts add up to every position and backstop balance that they wrote', () => {
    const network = networkOf(given())
    const byEvents = new Map<string, bigint>()
    for (const { rows } of foldAll(slicesOf(given(), network), blend.adapter(network))) {
      for (const row of rows.activities) {
        if (row.shareType === '' || row.shareType === 'lp_share') continue
        const name = [row.contract, row.address, row.shareType, row.shareType === 'backstop_share' ? '' : row.assetId].join(' ')
        byEvents.set(name, (byEvents.get(name) ?? 0n) + shareChange(row))
      }
    }
    const written = writtenShares(given())
    const holding = (shares: Map<string, bigint>) => [...shares].filter(([, amount]) => amount !== 0n).sort()
    expect(holding(byEvents)).toEqual(holding(written))
    expect(written.size).toBeGreaterThan(20)
    report(`${version}: ${written.size} balances follow from events`)
  })

  it.runIf(file !== null)('a fill of the executed contracts is the auction as we scale it', () => {
    let fills = 0
    for (const { step, ledger: at, events = [], entries = [] } of given().steps) {
      const read = events.flatMap(({ contract, topics, data }) => {
        if (given().roles[contract] !== `pool ${version}`) return []
        const event = readPoolEvent({ topics: writeScVals(topics.map((it) => readScVal(base64(it)))), data: base64(data) }, version)
        return event.name === 'fill_auction' ? [event] : []
      })
      const [fill, ...more] = read
      const entry = entries.find(({ key }) => readPoolKey(base64(key)).kind === 'auction')
      const stored = entry === undefined ? null : entryValue(entry.before, entry.key)
      const before = stored === null ? null : readAuction(stored)
      if (fill === undefined || more.length > 0 || entry === undefined || before === null) continue
      const after = entryValue(entry.after, entry.key)
      const { filled, remaining } = scaleAuction(before, fill.percent, at)
      expect({ step, remaining }).toEqual({ step, remaining: after === null ? null : readAuction(after) })
      if (fill.filled !== null)
        expect({ step, bid: filled.bid, lot: filled.lot }).toEqual({ step, bid: fill.filled.bid, lot: fill.filled.lot })
      fills++
    }
    expect(fills).toBeGreaterThan(5)
  })
})

/** Shares as last written, by pool, account, kind and asset. */
function writtenShares({ steps }: ExecutedFile): Map<string, bigint> {
  const written = new Map<string, bigint>()
  const entries = steps.flatMap((step) => step.entries ?? [])
  let assets: readonly string[] = []
  for (const { key, after } of entries) {
    const value = entryValue(after, key)
    if (value !== null && readPoolKey(base64(key)).kind === 'reserve_list') assets = readContracts(value) ?? []
  }
  for (const { contract, key, after } of entries) {
    const value = entryValue(after, key)
    if (value === null) continue
    const ofPool = readPoolKey(base64(key))
    const ofBackstop = readBackstopKey(base64(key))
    if (ofPool.kind === 'positions') {
      const positions = readPositions(value)
      for (const [index, asset] of assets.entries()) {
        written.set([contract, ofPool.owner, 'b_token', asset].join(' '), positions?.supply.get(index) ?? 0n)
        written.set([contract, ofPool.owner, 'b_token_collateral', asset].join(' '), positions?.collateral.get(index) ?? 0n)
        written.set([contract, ofPool.owner, 'd_token', asset].join(' '), positions?.liabilities.get(index) ?? 0n)
      }
    } else if (ofBackstop.kind === 'user') {
      const user = readBackstopUser(value)
      if (user !== null) written.set([ofBackstop.pool, ofBackstop.owner, 'backstop_share', ''].join(' '), allShares(user))
    }
  }
  return written
}
