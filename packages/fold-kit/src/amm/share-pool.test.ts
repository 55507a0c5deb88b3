// Share pools: values, positions and actions, with figures that are worked out by hand.

import { type EntryRecord, type EventRecord, sc, writeScVal } from '@orrery/ledger'
import type { Pricing, PricingState } from '@orrery/pricing'
import type { Network, Slice } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import type { OperationRecords } from '../operation-records.ts'
import { Journal } from '../state/journal.ts'
import { type SharePool, type SharePoolState, sharePoolEntries } from './share-pool.ts'
import type { SharePoolAction, SharePoolAmm } from './share-pool-amm.ts'
import { sharePoolSteps } from './share-pool-steps.ts'
import { valueSharePool, worthOfShares } from './share-pool-value.ts'
import { sharePoolView } from './share-pool-view.ts'

const AT = { ledger: 7, closeTimeSeconds: 1_700_000_000 }
const hint = (code: string) => ({ code, issuer: null, decimals: 7, tags: [] })
const network: Network = {
  name: 'paper',
  passphrase: 'Paper',
  firstLedger: 1,
  protocols: [],
  // Which protocols the build has does not matter here.
  deployments: {} as Network['deployments'],
  oracles: [],
  pricePools: [],
  usdPegs: [],
  assets: { USDX: hint('USDX'), SLV: hint('SLV') },
  knownPools: [],
}

/** 1,066.6666667 USDX and 1,875 SLV, 1,000 shares of 7 decimals: alice has 500 of them, and bob has closed his position. */
function poolOf(supply = 10_000_000_000n): SharePool {
  const value = { tokens: ['USDX', 'SLV'], reserves: [10_666_666_667n, 18_750_000_000n], supply }
  const holders = new Map([
    ['alice', { value: 5_000_000_000n, liveUntil: 0 }],
    ['bob', { value: 0n, liveUntil: 0 }],
  ])
  return { pool: 'POOL', instance: { value, liveUntil: 0 }, holders, counters: null, small: new Set() }
}

function stateOf(pool: SharePool): SharePoolState {
  return { ledger: 7, pools: new Map([['POOL', pool]]), pricing: {} as PricingState }
}

/** Prices by asset; others have none. */
function valuedAt(prices: Readonly<Record<string, string>>, pool = poolOf()) {
  const priceOf = (_: PricingState, asset: string) => {
    const usd = prices[asset]
    return usd === undefined ? null : { usd, source: 'oracle:C', observedAtSeconds: 0 }
  }
  const valued = valueSharePool(stateOf(pool), pool, AT, { network, pricing: { priceOf } as unknown as Pricing })
  if (valued === null) throw new Error('The instance is known.')
  return valued
}

describe('the value of a share pool', () => {
  it('half of the shares is half of each reserve, floored to a raw unit', () => {
    // 10,666,666,667 / 2 = 5,333,333,333.5 raw: 533.3333333 USD. 18,750,000,000 / 2 raw: 937.5 · 0.50 = 468.75 USD.
    expect(worthOfShares(5_000_000_000n, valuedAt({ USDX: '1', SLV: '0.5' }))).toEqual({
      amounts: [5_333_333_333n, 9_375_000_000n],
      values: [53_333_333_330n, 46_875_000_000n],
      netUsd: 100_208_333_330n,
      unpricedAssets: 0,
    })
  })

  it('the TVL is the sum of both reserves', () => {
    // 1,066.6666667 + 1,875 · 0.50 = 2,004.1666667
    expect(valuedAt({ USDX: '1', SLV: '0.5' })).toMatchObject({ tvlUsd: 200_416_666_670n, unpricedAssets: 0, supply: 10_000_000_000n })
  })

  it('a token without a price is no part of the TVL and makes the worth of shares unknown', () => {
    const valued = valuedAt({ USDX: '1' })
    expect(valued).toMatchObject({ tvlUsd: 106_666_666_670n, unpricedAssets: 1 })
    expect(worthOfShares(5_000_000_000n, valued)).toMatchObject({ values: [53_333_333_330n, null], netUsd: null, unpricedAssets: 1 })
  })

  it('shares of a pool without supply pay nothing', () => {
    const valued = valuedAt({ USDX: '1', SLV: '0.5' }, poolOf(0n))
    expect(worthOfShares(5_000_000_000n, valued)).toMatchObject({ amounts: [0n, 0n], netUsd: 0n })
  })

  it('a pool whose instance is not known has no value', () => {
    const pool: SharePool = { ...poolOf(), instance: null }
    expect(valueSharePool(stateOf(pool), pool, AT, { network, pricing: {} as Pricing })).toBeNull()
  })
})

const amm = (action: SharePoolAction | null): SharePoolAmm => ({
  entries: sharePoolEntries(() => ({ tokens: [], reserves: [], supply: 0n }), 'event `new_pool`'),
  shareDecimals: 7,
  factoriesOf: () => ['FACTORY'],
  readNewPool: () => null,
  readAction: () => action,
})

describe('the view of share pools', () => {
  const view = sharePoolView(amm(null), network)
  const empty = () => view.load([], 7)

  it('an account has a position where it has shares, without a value while no token has a price', () => {
    const state = empty()
    state.pools.set('POOL', poolOf())
    const [position, ...others] = view.positions(state, 'alice', AT, new Map())
    expect(others).toEqual([])
    expect(position).toMatchObject({ pool: 'POOL', poolName: 'USDX/SLV', shares: 5_000_000_000n, poolSharePct: '50', netUsd: null })
    expect(position?.tokens.map(({ amount, usdValue }) => [amount, usdValue])).toEqual([
      [5_333_333_333n, null],
      [9_375_000_000n, null],
    ])
    expect(view.positions(state, 'bob', AT, new Map())).toEqual([])
  })

  it('shares of a pool without supply are none of it', () => {
    const state = empty()
    state.pools.set('POOL', poolOf(0n))
    expect(view.positions(state, 'alice', AT, new Map())).toMatchObject([{ poolSharePct: '0', shareSupply: 0n }])
  })

  it('a pool without a price has a TVL of 0 and counts its tokens as unpriced', () => {
    const state = empty()
    state.pools.set('POOL', poolOf())
    expect(view.pool(state, 'POOL', AT, new Map())).toMatchObject({ name: 'USDX/SLV', tvlUsd: '0', unpricedAssets: 2, fee: '0' })
    expect(view.pool(state, 'OTHER', AT, new Map())).toBeNull()
  })

  it('a pool is a contract of the protocol, and a token of the registry is none', () => {
    const state = empty()
    state.pools.set('POOL', poolOf())
    expect(view.contract(state, 'POOL')).toEqual({ name: 'USDX/SLV', positionTypes: ['lp'], status: 'active', version: '' })
    expect([view.isToken(state, 'POOL'), view.isToken(state, 'USDX'), view.isToken(state, 'OTHER')]).toEqual([false, true, false])
  })
})

describe('the entries of share pools', () => {
  it("a pool's instance counts where the ledger has it before the announcement of the pool, and an unknown contract's never does", () => {
    const instance = { tokens: ['USDX', 'SLV'], reserves: [1n, 2n], supply: 3n }
    const entries = sharePoolEntries(() => instance, 'event `new_pool`')
    const steps = sharePoolSteps({ ...amm(null), entries, readNewPool: () => 'POOL' }, network)
    const entryOf = (contract: string) => {
      const [key, value] = [writeScVal(sc.instanceKey()), new Uint8Array(1)]
      return { kind: 'entry', contract, key, value, before: null, change: 'created', liveUntil: 9 } as EntryRecord
    }
    const announcement = { kind: 'event', contract: 'FACTORY' } as EventRecord
    const records = [entryOf('POOL'), entryOf('OTHER'), announcement].map((record) => ({ class: 'owned', record }))
    const slice = { protocol: 'soroswap', ledger: 7, records } as unknown as Slice
    const state: SharePoolState = { ledger: 7, pools: new Map(), pricing: {} as PricingState }
    const journal = new Journal(slice)
    const context = { state, slice, journal, network, pricing: {} as Pricing }
    const changes = steps.applyRecords(context, steps.directory(state))
    expect([...changes.keys()]).toEqual([
      { pool: 'POOL', instance: { value: instance, liveUntil: 9 }, holders: new Map(), counters: null, small: new Set() },
    ])
    expect(journal.state().map(({ contract, key, value }) => [contract, key, value])).toEqual([
      ['FACTORY', 'pool:POOL', '{"listed":true}'],
      ['POOL', 'pool', '{"tokens":["USDX","SLV"],"reserves":["1","2"],"supply":"3"}'],
    ])
  })
})

describe('the actions of share pools', () => {
  const legsOf = (action: SharePoolAction, contract = 'POOL') => {
    const steps = sharePoolSteps(amm(action), network)
    const records = { events: [{ record: { contract, index: 3 } as EventRecord, owned: true }] } as unknown as OperationRecords
    const state = stateOf(poolOf())
    const { actions } = steps.deriveActions(records, steps.directory(state), {} as never)
    return actions.flatMap(({ type, eventIndex, legs }) =>
      legs.map(({ asset, amount, shares, direction, volume, counts }) => [
        ...[type, eventIndex, asset, direction, amount, shares],
        ...[volume ? 'volume' : '', counts ? 'counts' : ''],
      ]),
    )
  }

  it('of a swap only what the account gives is volume', () => {
    expect(legsOf({ type: 'swap', who: 'carol', given: [100n, -187n], shares: 0n })).toEqual([
      ['swap', 3, 'USDX', 'in', 100n, 0n, 'volume', 'counts'],
      ['swap', 3, 'SLV', 'out', 187n, 0n, '', ''],
    ])
    expect(legsOf({ type: 'swap', who: 'carol', given: [-100n, 187n], shares: 0n })).toEqual([
      ['swap', 3, 'USDX', 'out', 100n, 0n, '', 'counts'],
      ['swap', 3, 'SLV', 'in', 187n, 0n, 'volume', ''],
    ])
  })

  it('both legs of a withdraw are volume, and its shares are on the first', () => {
    expect(legsOf({ type: 'withdraw', who: 'alice', given: [-5n, -9n], shares: 7n })).toEqual([
      ['withdraw', 3, 'USDX', 'out', 5n, 7n, 'volume', 'counts'],
      ['withdraw', 3, 'SLV', 'out', 9n, 0n, 'volume', ''],
    ])
  })

  it('an event of a contract that is no pool makes no action', () => {
    expect(legsOf({ type: 'swap', who: 'carol', given: [100n, -187n], shares: 0n }, 'OTHER')).toEqual([])
  })
})
