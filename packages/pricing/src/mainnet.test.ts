// The oracle aggregators of mainnet with the shipped registry: ledgers with rounds that Reflector published, read as ingest reads them,
// give the prices that the aggregators' own rules give. Expected prices: lightgatehq/lidapters, blend/state_reflector_test.go (from archived
// entries of both feeds). 14 decimals of the feed are cut to the 7 of the aggregator: 0.17447100518867 -> 0.1744710.

import { extractLedger, TrackedSet } from '@orrery/ledger'
import type { Network, NoticeRow, Slice, StateRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import {
  AGGREGATORS,
  aggregatorEntry,
  CEX_ROUNDS,
  DEX_ROUNDS,
  type FeedRound,
  feedEntries,
  ledgersOfEntries,
  type MadeEntry,
  mainnet,
} from '@orrery/testkit/mainnet'
import { describe, expect, it } from 'vitest'
import { type At, type Pricing, type PricingState, pricing, stellarAsset } from './index.ts'

const registry = await loadNetwork('mainnet')
const FIRST = 60_000_000
const { xlm, usdc, eurc, cetes } = mainnet
const { fixed, yieldBlox, etherfuse } = AGGREGATORS

/** Prices after one ledger for each group of entries, the last of which closes at `seconds`. */
class Followed {
  readonly prices: Pricing
  readonly state: PricingState
  readonly notices: NoticeRow[] = []
  readonly rows: StateRow[] = []

  constructor(groups: readonly (readonly MadeEntry[])[], network: Network = registry) {
    this.prices = pricing(network)
    this.state = this.prices.empty()
    const tracked = new TrackedSet(network.passphrase)
    const roots = new Map(this.prices.roots('blend').map((root) => [root.contract, root]))
    for (const contract of roots.keys()) tracked.addContract(contract)
    const ledgers = groups.map((entries, n) => ({ sequence: FIRST + n, closeTimeSeconds: 1_700_000_000 + n * 5, entries }))
    for (const bytes of ledgersOfEntries(ledgers)) {
      const { header, transactions, records } = extractLedger(bytes, tracked)
      const slice: Slice = {
        network: network.name,
        protocol: 'blend',
        partition: 0,
        after: header.sequence - 1,
        ledger: header.sequence,
        closeTimeSeconds: header.closeTimeSeconds,
        hourStart: false,
        dayStart: header.sequence === FIRST + groups.length - 1,
        ledgerHash: header.hash,
        rollingHash: '0'.repeat(16),
        transactions,
        records: records.flatMap((record) => {
          const root = record.contract === null ? undefined : roots.get(record.contract)
          return root !== undefined && this.prices.route(record, root)?.shared === true ? [{ class: 'shared' as const, record }] : []
        }),
      }
      const { state, notices } = this.prices.apply(this.state, slice)
      this.rows.push(...state)
      this.notices.push(...notices)
    }
  }

  /** What the aggregator's `lastprice` answers, raw. */
  answers(aggregator: string, at: At, tokens: readonly string[] = [xlm, usdc, eurc]): (bigint | null)[] {
    return tokens.map((token) => this.prices.lastPrice(this.state, aggregator, stellarAsset(token), at)?.price ?? null)
  }

  /** USD of an asset in a pool that asks `ownOracle`. */
  usd(asset: string, at: At, ownOracle?: string): { readonly usd: string; readonly source: string } | null {
    return this.prices.priceOf(this.state, asset, at, ownOracle === undefined ? {} : { ownOracle })
  }
}

const at = (closeTimeSeconds: number): At => ({ ledger: FIRST + 10, closeTimeSeconds })
const cexRounds = (version: 'v4' | 'v6', rounds: readonly FeedRound[]) => feedEntries(mainnet.cex, version, rounds)
const LAST_JUNE = 1_782_473_700
const LAST_APRIL = 1_744_386_300

describe('the aggregator of Fixed V2', () => {
  const june = new Followed([[aggregatorEntry(fixed)], cexRounds('v6', CEX_ROUNDS.june2026)])
  const april = new Followed([[aggregatorEntry(fixed)], cexRounds('v4', CEX_ROUNDS.april2025)])

  it('the aggregator of Fixed V2 gives exact prices from the rounds of June 2026, which Reflector v6 wrote', () => {
    expect(june.answers(fixed.contract, at(LAST_JUNE))).toEqual([1_744_710n, 10_011_281n, 11_419_633n])
  })

  it('the aggregator of Fixed V2 gives exact prices from the rounds of April 2025, which Reflector v4 wrote', () => {
    expect(april.answers(fixed.contract, at(LAST_APRIL))).toEqual([2_335_012n, 10_004_502n, 11_332_271n])
  })

  it('the aggregator of Fixed V2 has a price until 900 seconds after the round, although the feed has none after 600', () => {
    for (const [followed, last] of [
      [june, LAST_JUNE],
      [april, LAST_APRIL],
    ] as const) {
      expect(followed.answers(fixed.contract, at(last + 900))).not.toContain(null)
      expect(followed.answers(fixed.contract, at(last + 901))).toEqual([null, null, null])
      const feed = followed.prices.lastPrice(followed.state, mainnet.cex, { kind: 'other', symbol: 'XLM' }, at(last + 600))
      expect(feed).toBeNull()
    }
  })

  it('the aggregator of Fixed V2 has no price after a single round, because each price is compared with an older one', () => {
    const one = new Followed([[aggregatorEntry(fixed)], cexRounds('v6', CEX_ROUNDS.june2026.slice(-1))])
    expect(one.answers(fixed.contract, at(LAST_JUNE))).toEqual([null, null, null])
  })

  it('the aggregator of Fixed V2 refuses only XLM after a round in which only XLM doubled', () => {
    const [, before, newest] = CEX_ROUNDS.june2026
    const doubled = { ...newest, prices: { ...newest.prices, XLM: before.prices.XLM * 2n } }
    const moved = new Followed([[aggregatorEntry(fixed)], cexRounds('v6', [before, doubled])])
    expect(moved.answers(fixed.contract, at(LAST_JUNE))).toEqual([null, 10_011_281n, 11_419_633n])
  })

  it('the aggregator of Fixed V2 refuses changes beyond 20 % of USDC and 60 % of XLM, and not at these limits', () => {
    const round = (seconds: number, XLM: bigint, USDC: bigint) => ({ seconds, prices: { XLM, USDC, EURC: 100n } })
    const after = (XLM: bigint, USDC: bigint) =>
      new Followed([
        [aggregatorEntry(fixed)],
        cexRounds('v6', [round(LAST_JUNE - 300, 10n ** 14n, 10n ** 14n), round(LAST_JUNE, XLM, USDC)]),
      ]).answers(fixed.contract, at(LAST_JUNE), [xlm, usdc])
    expect(after(160n * 10n ** 12n, 80n * 10n ** 12n)).toEqual([16_000_000n, 8_000_000n])
    expect(after(160n * 10n ** 12n + 1n, 80n * 10n ** 12n - 1n)).toEqual([null, null])
  })

  it('the pool of the aggregator gets prices of one feed, although the order of the registry would mix two', () => {
    const both = new Followed([[aggregatorEntry(fixed)], cexRounds('v6', CEX_ROUNDS.june2026), feedEntries(mainnet.dex, 'v6', DEX_ROUNDS)])
    const usdOf = (own?: string) => [xlm, usdc].map((asset) => both.usd(asset, at(LAST_JUNE), own))
    expect(usdOf(fixed.contract)).toMatchObject([
      { usd: '0.174471', source: `oracle:${fixed.contract}` },
      { usd: '1.0011281', source: `oracle:${fixed.contract}` },
    ])
    // Without the pool's own oracle: XLM of the DEX feed with USDC as one dollar, USDC of the CEX feed.
    expect(usdOf()).toMatchObject([
      { usd: '0.17473840523802', source: `oracle:${mainnet.dex}` },
      { usd: '1.0011281757816', source: `oracle:${mainnet.cex}` },
    ])
  })
})

describe('the aggregator of YieldBlox V2', () => {
  it('the aggregator of YieldBlox V2 has base USDC: base assets are worth 1, and XLM has the price of the DEX feed', () => {
    const followed = new Followed([[aggregatorEntry(yieldBlox)], feedEntries(mainnet.dex, 'v6', DEX_ROUNDS)])
    const newest = at(1_782_473_400)
    // 0.17473840523802 cut to 7 decimals.
    expect(followed.answers(yieldBlox.contract, newest, [xlm, usdc, ...mainnet.yieldBloxBaseAssets])).toEqual([
      1_747_384n,
      10_000_000n,
      10_000_000n,
      10_000_000n,
    ])
    expect(followed.usd(xlm, newest, yieldBlox.contract)).toMatchObject({ usd: '0.1747384', source: `oracle:${yieldBlox.contract}` })
    expect(followed.notices).toEqual([])
  })
})

describe('the aggregator of Etherfuse, one of whose two sources the registry does not list', () => {
  const unread = feedEntries(
    mainnet.dex,
    'v6',
    DEX_ROUNDS.map((round) => ({ ...round, prices: { ...round.prices, CETES: 5n * 10n ** 12n } })),
  )
  const followed = new Followed([[aggregatorEntry(etherfuse)], cexRounds('v6', CEX_ROUNDS.june2026), unread])
  const now = at(LAST_JUNE)

  it('the aggregator of Etherfuse prices XLM and USDC with all 14 decimals of the CEX feed', () => {
    expect(followed.answers(etherfuse.contract, now, [xlm, usdc])).toEqual([17_447_100_518_867n, 100_112_817_578_160n])
    expect(followed.usd(usdc, now, etherfuse.contract)).toMatchObject({ usd: '1.0011281757816', source: `oracle:${etherfuse.contract}` })
  })

  it('CETES has no price in the pool of Etherfuse, although another oracle has one', () => {
    expect(followed.usd(cetes, now, etherfuse.contract)).toBeNull()
    // 0.05 USDC on the DEX feed: the price of another market, not the one that the pool lends by.
    expect(followed.usd(cetes, now)).toMatchObject({ usd: '0.05', source: `oracle:${mainnet.dex}` })
  })

  it('an asset that the aggregator of Etherfuse does not list has the price of other oracles', () => {
    expect(followed.usd(eurc, now, etherfuse.contract)).toMatchObject({ source: `oracle:${mainnet.cex}` })
  })

  it('the unreadable source of the aggregator is counted at the first ledger of a day', () => {
    expect(followed.notices).toMatchObject([
      { kind: 'oracle', contract: mainnet.unreadFeed, reason: 'source_of_aggregator_unread', count: 1, ledger: FIRST + 2 },
    ])
  })

  it('prices from loaded state rows are the same as before the restart', () => {
    const loaded = followed.prices.load(followed.rows)
    for (const [asset, own] of [
      [xlm, etherfuse.contract],
      [cetes, etherfuse.contract],
      [cetes, undefined],
    ] as const) {
      const price = followed.prices.priceOf(loaded, asset, now, own === undefined ? {} : { ownOracle: own })
      expect(price).toEqual(followed.usd(asset, now, own))
    }
  })
})
