// The deployed contracts, executed elsewhere, and real events of mainnet: every event is read, and what they tell makes the positions
// that the contracts wrote. The vectors lie beside the repository; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rows } from '@orrery/protocol-kit'
import { Slicer, sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { scaleAuction } from '../src/auction-scale.ts'
import type { Auction, BlendVersion } from '../src/chain.ts'
import { blend } from '../src/protocol.ts'
import { readBackstopEvent, readCometEvent, readEmitterEvent, readFactoryEvent } from '../src/read-deployment-event.ts'
import { readPoolEvent } from '../src/read-pool-event.ts'
import { type Executed, executed, topicsOf } from './executed.ts'
import { shareChange } from './share-change.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/blend.json')
const base64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))
const report = (line: string) => process.stdout.write(`${line}\n`)

interface MainnetEvent {
  readonly role: string
  readonly topics: readonly string[]
  readonly data: string
}

describe.runIf(existsSync(file))('events of mainnet (from ../shared)', () => {
  it('are all read', () => {
    const events = (JSON.parse(readFileSync(file, 'utf8')) as { mainnet_events: MainnetEvent[] }).mainnet_events
    const read = events.flatMap(({ role, topics, data }) => {
      const record = { topics: topicsOf(topics), data: base64(data) }
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

for (const version of ['v1', 'v2'] as const satisfies readonly BlendVersion[]) {
  const vectors = executed(version)
  describe.runIf(vectors !== null)(`the executed contracts of ${version} (from ../shared)`, () => {
    const run = vectors as Executed

    it('tell by their events every position and backstop balance that they wrote', () => {
      const shares = new Map<string, bigint>()
      const written = new Map<string, bigint>()
      for (const rows of foldOf(run)) {
        // Of the Comet pool some steps are missing: LP tokens were handed out between those that were kept.
        const wrong = rows.notices.filter(
          ({ kind, contract }) => kind === 'event' || (kind === 'invariant' && contract !== run.contract('comet')),
        )
        expect(wrong).toEqual([])
        for (const row of rows.activities) {
          if (row.shareType === '' || row.shareType === 'lp_share') continue
          const name = `${row.contract} ${row.address} ${row.shareType} ${row.shareType === 'backstop_share' ? '' : row.assetId}`
          shares.set(name, (shares.get(name) ?? 0n) + shareChange(row))
        }
      }
      const assets = reserveList(run)
      for (const { contract, key_decoded: key, after_decoded: after } of run.steps.flatMap(({ entries = [] }) => entries)) {
        if (!Array.isArray(key)) continue
        const [kind, of] = key as [string, never]
        if (kind === 'Positions') {
          const maps = after as Record<'supply' | 'collateral' | 'liabilities', Record<string, string>>
          for (const [index, asset] of assets.entries()) {
            written.set(`${contract} ${of} b_token ${asset}`, BigInt(maps.supply[index] ?? 0))
            written.set(`${contract} ${of} b_token_collateral ${asset}`, BigInt(maps.collateral[index] ?? 0))
            written.set(`${contract} ${of} d_token ${asset}`, BigInt(maps.liabilities[index] ?? 0))
          }
        } else if (kind === 'UserBalance') {
          const { pool, user } = of as { pool: string; user: string }
          const balance = after as { q4w: { amount: string }[]; shares: string }
          const all = balance.q4w.reduce((sum, { amount }) => sum + BigInt(amount), BigInt(balance.shares))
          written.set(`${pool} ${user} backstop_share `, all)
        }
      }
      expect([...written].filter(([, amount]) => amount !== 0n).sort()).toEqual([...shares].filter(([, amount]) => amount !== 0n).sort())
      expect(written.size).toBeGreaterThan(20)
      report(`executed ${version}: ${written.size} balances told by events`)
    })

    it('fill auctions as we scale them', () => {
      let fills = 0
      for (const { step, ledger, events = [], entries = [] } of run.steps) {
        const [event, ...more] = events.filter(({ decoded }) => decoded.topics[0] === 'fill_auction')
        const entry = entries.find(({ key_decoded: key }) => Array.isArray(key) && key[0] === 'Auction')
        if (event === undefined || more.length > 0 || entry === undefined || entry.before_decoded === null) continue
        const [, percent, told] = event.decoded.data as [string, string, StoredAuction | undefined]
        const { filled, remaining } = scaleAuction(auctionOf(entry.before_decoded as StoredAuction), BigInt(percent), ledger)
        expect({ step, remaining }).toEqual({
          step,
          remaining: entry.after_decoded ? auctionOf(entry.after_decoded as StoredAuction) : null,
        })
        if (told !== undefined) expect({ step, filled }).toMatchObject({ step, filled: legsOf(auctionOf(told)) })
        fills++
      }
      expect(fills).toBeGreaterThan(5)
    })
  })
}

function foldOf(run: Executed): Rows[] {
  const network = run.network()
  const adapter = blend.adapter(network)
  const slicer = new Slicer(network, blend.routing, 1)
  const state = adapter.load([], network.firstLedger - 1)
  return run.ledgers().flatMap((ledger) => slicer.feed(ledger).map((slice) => adapter.fold(state, slice)))
}

/** Assets of the pool by reserve index, as last written. */
function reserveList(run: Executed): string[] {
  const entries = run.steps.flatMap(({ entries = [] }) => entries)
  return (entries.findLast(({ key_decoded: key }) => key === 'ResList' || (Array.isArray(key) && key[0] === 'ResList'))?.after_decoded ??
    []) as string[]
}

interface StoredAuction {
  readonly bid: Readonly<Record<string, string>>
  readonly lot: Readonly<Record<string, string>>
  readonly block: number
}

function auctionOf({ bid, lot, block }: StoredAuction): Auction {
  const legs = (amounts: Readonly<Record<string, string>>) =>
    new Map(Object.entries(amounts).map(([asset, amount]) => [asset, BigInt(amount)]))
  return { bid: legs(bid), lot: legs(lot), block }
}

const legsOf = ({ bid, lot }: Auction): Pick<Auction, 'bid' | 'lot'> => ({ bid, lot })
