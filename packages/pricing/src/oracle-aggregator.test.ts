import { type ScVal, sc } from '@orrery/ledger'
import { describe, expect, it } from 'vitest'
import { otherAsset, stellarAsset } from './index.ts'
import { OracleAggregator, type PriceFeed } from './oracle-aggregator.ts'
import { contract, instance, other, stellar } from './test-slices.ts'

const AGGREGATOR = contract(1)
const SOURCE = contract(2)
const XLM = contract(3)
const USDC = contract(4)
const NOON = 1_700_000_400
const LEDGER = 10

/** An aggregator of 7 decimals over one source of 14 decimals with a round every 300 s. */
function aggregator({ maxAge = 900n, maxDeviationPct = 0 }: { maxAge?: bigint; maxDeviationPct?: number } = {}): OracleAggregator {
  const source = sc.struct({ address: sc.address(SOURCE), decimals: sc.u32(14), index: sc.u32(0), resolution: sc.u32(300) })
  const config = sc.struct({ asset: other('XLM'), max_dev: sc.u32(maxDeviationPct), oracle_index: sc.u32(0) })
  const storage: [ScVal, ScVal][] = [
    [sc.symbol('Assets'), sc.map([stellar(XLM), config])],
    [sc.symbol('Base'), other('USD')],
    [sc.symbol('BaseAssets'), sc.vec(stellar(USDC))],
    [sc.symbol('Decimals'), sc.u32(7)],
    [sc.symbol('MaxAge'), sc.u64(maxAge)],
    [sc.symbol('Oracles'), sc.vec(source)],
  ]
  const made = new OracleAggregator()
  expect(made.apply(instance(AGGREGATOR, storage))).toBeNull()
  return made
}

/** A source whose rounds are given as seconds before noon. */
function source(rounds: Readonly<Record<number, bigint>>, lastSeconds = NOON): PriceFeed {
  return {
    facts: () => ({
      lastTimestampSeconds: lastSeconds,
      resolutionSeconds: 300,
      decimals: 14,
      base: otherAsset('USD'),
      assets: [],
      version: 6,
    }),
    price(asset, timestampSeconds) {
      const price = rounds[NOON - timestampSeconds]
      return price === undefined || asset.kind !== 'other' || asset.symbol !== 'XLM' ? null : { price, timestampSeconds }
    },
  }
}

function lastPrice(made: OracleAggregator, feed: PriceFeed, secondsAfterNoon = 0, asset = stellarAsset(XLM)) {
  const answer = made.lastPrice(asset, { ledger: LEDGER, closeTimeSeconds: NOON + secondsAfterNoon }, (id) => (id === SOURCE ? feed : null))
  return answer === null ? null : { price: answer.price, secondsBeforeNoon: NOON - answer.timestampSeconds }
}

describe('an aggregator', () => {
  it('an aggregator takes the newest price of its source and truncates it to its own decimals', () => {
    // 0.24913969459426 with 14 decimals is 0.2491396 with 7.
    expect(lastPrice(aggregator(), source({ 0: 24_913_969_459_426n }))).toEqual({ price: 2_491_396n, secondsBeforeNoon: 0 })
  })

  it('an aggregator goes back one round at a time, up to its maximum age', () => {
    expect(lastPrice(aggregator(), source({ 900: 10n ** 14n }))).toEqual({ price: 10_000_000n, secondsBeforeNoon: 900 })
    expect(lastPrice(aggregator(), source({ 900: 10n ** 14n }), 1)).toBeNull()
    expect(lastPrice(aggregator(), source({ 1200: 10n ** 14n }))).toBeNull()
  })

  it('the price of the base, and of assets configured as equal to it, is always one', () => {
    for (const asset of [otherAsset('USD'), stellarAsset(USDC)]) {
      expect(lastPrice(aggregator(), source({}), 5, asset as never)).toEqual({ price: 10_000_000n, secondsBeforeNoon: -5 })
    }
  })

  it('an asset without a configuration or with an unknown source has no price', () => {
    expect(lastPrice(aggregator(), source({}), 0, stellarAsset(SOURCE))).toBeNull()
    const at = { ledger: LEDGER, closeTimeSeconds: NOON }
    expect(aggregator().lastPrice(stellarAsset(XLM), at, () => null)).toBeNull()
  })
})

describe('an aggregator with a deviation limit of 5 %', () => {
  const limited = aggregator({ maxDeviationPct: 5 })

  it('a price that differs by 5 % from the previous one is accepted, and one unit more is refused', () => {
    // |105 - 100| = 5 <= 100 * 5 / 100
    expect(lastPrice(limited, source({ 0: 105n * 10n ** 12n, 300: 100n * 10n ** 12n }))?.price).toBe(10_500_000n)
    expect(lastPrice(limited, source({ 0: 105n * 10n ** 12n + 1n, 300: 100n * 10n ** 12n }))).toBeNull()
    expect(lastPrice(limited, source({ 0: 95n * 10n ** 12n - 1n, 300: 100n * 10n ** 12n }))).toBeNull()
  })

  it('the older price is searched at most as many rounds back as the maximum age allows', () => {
    expect(lastPrice(limited, source({ 0: 100n, 900: 100n }))).not.toBeNull()
    expect(lastPrice(limited, source({ 0: 100n, 1200: 100n }))).toBeNull()
    // From a price that is itself old, the older one may lie twice the maximum age back.
    expect(lastPrice(limited, source({ 900: 100n, 1800: 100n }))).not.toBeNull()
    expect(lastPrice(limited, source({ 900: 100n, 2100: 100n }))).toBeNull()
  })
})

it('an aggregator is restored from its row unchanged', () => {
  const made = aggregator({ maxDeviationPct: 7 })
  const loaded = new OracleAggregator()
  loaded.restore('settings', JSON.parse(JSON.stringify(made.value())))
  expect(loaded.value()).toEqual(made.value())
  expect(loaded.facts()).toEqual(made.facts())
})
