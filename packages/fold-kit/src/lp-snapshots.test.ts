import type { Slice } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { type LpSeries, lpSnapshots } from './lp-snapshots.ts'
import { Journal } from './state/journal.ts'
import { valuedToken } from './valued-token.ts'

const token = (asset: string) =>
  valuedToken({ asset, symbol: asset, decimals: 7, tags: [] }, { usd: '1', source: 'oracle:C', observedAtSeconds: 0 })

/** A pool of 30 and 10 units at 1 USD each, of which alice has 3 of 4 shares, bob 1 of 4, and carol none any more. */
function series(of: Partial<LpSeries> = {}): LpSeries {
  const shares: Readonly<Record<string, bigint>> = { alice: 3n, bob: 1n, carol: 0n }
  return {
    pool: 'pool',
    tokens: [token('a'), token('b')],
    reserves: [300_000_000n, 100_000_000n],
    balances: [300_000_000n, 100_000_005n],
    shareSupply: 4n,
    tvlUsd: 4_000_000_000n,
    unpricedAssets: 0,
    counters: null,
    native: {},
    isOpen: true,
    isChanged: false,
    changedHolders: new Set(),
    isLoss: false,
    small: new Set(),
    openHolders: () => ['bob', 'alice'],
    position: (address) => {
      const held = shares[address] ?? 0n
      return { shares: held, worth: { amounts: [], values: [], netUsd: held * 50_000_000n, unpricedAssets: 0 } }
    },
    ...of,
  }
}

const slice = (of: Partial<Slice> = {}) =>
  ({ protocol: 'soroswap', ledger: 5, closeTimeSeconds: 100, hourStart: false, dayStart: false, ...of }) as Slice
const takenOf = (pools: readonly LpSeries[], at: Slice) =>
  lpSnapshots(pools, at, new Journal(at)).positionSnapshots.map(({ address, heartbeat, open }) => [
    address,
    heartbeat ? 'heartbeat' : 'change',
    open,
  ])

describe('series of a liquidity pool', () => {
  it('series of a liquidity pool have the positions that changed in any ledger, and mark those that it closed as closed', () => {
    expect(takenOf([series({ isChanged: true, changedHolders: new Set(['carol', 'bob']) })], slice())).toEqual([
      ['bob', 'change', true],
      ['carol', 'change', false],
    ])
  })

  it('series of a liquidity pool have open positions every hour, and those that were and are below 1 USD every day', () => {
    const small = new Set<string>()
    const both = [
      ['alice', 'heartbeat', true],
      ['bob', 'heartbeat', true],
    ]
    expect(takenOf([series({ small })], slice({ hourStart: true }))).toEqual(both)
    expect(small).toEqual(new Set(['bob']))
    expect(takenOf([series({ small })], slice({ hourStart: true }))).toEqual([['alice', 'heartbeat', true]])
    expect(takenOf([series({ small })], slice({ hourStart: true, dayStart: true }))).toEqual(both)
  })

  it('series of a liquidity pool have every open position as a change in the ledger in which the pool lost tokens', () => {
    expect(takenOf([series({ isChanged: true, isLoss: true, small: new Set(['bob']) })], slice())).toEqual([
      ['alice', 'change', true],
      ['bob', 'change', true],
    ])
  })

  it('series of a liquidity pool name a pool by its address, and have no row of a pool that holds nothing and did not change', () => {
    const pools = [series({ pool: 'c' }), series({ pool: 'b', isOpen: false }), series({ pool: 'a', isOpen: false, isChanged: true })]
    const at = slice({ hourStart: true })
    const { poolSnapshots, reserveSnapshots } = lpSnapshots(pools, at, new Journal(at))
    expect(poolSnapshots.map(({ pool, heartbeat }) => [pool, heartbeat])).toEqual([
      ['a', false],
      ['c', true],
    ])
    expect(reserveSnapshots.map(({ pool, asset, suppliedUsd, native }) => [pool, asset, suppliedUsd, native.balance])).toEqual([
      ['a', 'a', '30', '300000000'],
      ['a', 'b', '10', '100000005'],
      ['c', 'a', '30', '300000000'],
      ['c', 'b', '10', '100000005'],
    ])
  })
})
