// An index that begins when vaults are open already: they are found along the lists, and known as of the ledger before.

import { type EntryRecord, type ScVal, sc, writeScVal } from '@orrery/ledger'
import type { TrackedContract } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { routing } from '../src/registry.ts'
import { vaultOf } from '../src/state/state.ts'
import { fxdaoView } from '../src/view/view.ts'
import * as make from './fold-fixture.ts'
import {
  alice,
  bob,
  entry,
  FoldFixture,
  instance,
  locking,
  network,
  secondsOf,
  settings,
  vault,
  vaultKey,
  vaults,
  whole,
  xlm,
} from './fold-fixture.ts'

const tracked: TrackedContract = { protocol: 'fxdao', contract: vaults, role: 'vaults', home: vaults, balances: [], fromLedger: 1 }
const named = (owner: string): ScVal =>
  sc.vec(sc.symbol('Some'), sc.struct({ account: sc.address(owner), denomination: sc.symbol('USD'), index: sc.u128(5n) }))
const vaultBefore = (owner: string, next: ScVal): EntryRecord => {
  const value = sc.struct({
    ...{ account: sc.address(owner), denomination: sc.symbol('USD'), index: sc.u128(5n), next_key: next },
    ...{ total_collateral: sc.u128(whole(1_000)), total_debt: sc.u128(whole(100)) },
  })
  return { ...entry(vaults, vaultKey(owner), value), tx: -1, opIndex: 0, index: 0 }
}

describe('vaults that predate the index', () => {
  it('vaults that predate the index are bootstrapped one after the other: each names the next of its currency', () => {
    const bootstrapped = (read: EntryRecord) => routing.bootstrap(tracked, read, network).map(({ contract, key }) => [contract, key])
    expect(bootstrapped(vaultBefore(alice, named(bob)))).toEqual([[vaults, writeScVal(vaultKey(bob))]])
    expect(bootstrapped(vaultBefore(bob, sc.vec(sc.symbol('None'))))).toEqual([])
  })

  it('vaults that predate the index are open without an activity, and have no cost before they change', () => {
    const fixture = new FoldFixture()
    const now = { USD: [whole(1_000), whole(100), 1] } as const
    fixture.ledger([settings(now, now)], make.rates({ USD: 0.25 }, secondsOf(1)))
    const held: make.Held = [whole(1_000), whole(100)]
    const { activities, state } = fixture.ledger([vault(alice, held, held, { change: 'bootstrap', liveUntil: 900_000 })])
    expect(activities).toEqual([])
    expect(state).toMatchObject([{ ledger: 1, inferred: true, liveUntil: 900_000, owner: alice }])
    const at = { ledger: 2, closeTimeSeconds: secondsOf(2) }
    expect(fxdaoView(network).vaults(fixture.state, alice, at)).toMatchObject([{ healthFactor: '2.27272727', costBasis: null }])
  })

  it('vaults that predate the index have the amounts from before their first change, when that change removes them', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ USD: [whole(1_000), whole(100), 1] })], make.rates({ USD: 0.25 }, secondsOf(1)))
    const { activities } = fixture.ledger([
      make.calls.liquidate(bob, 1),
      ...[make.burn(bob, whole(100)), make.pay(vaults, bob, whole(995)), make.pay(vaults, make.treasury, whole(5))],
      vault(alice, null, [whole(1_000), whole(100)]),
    ])
    expect(activities.map(({ address, direction, amount, metadata }) => [address, metadata.role, direction, amount])).toEqual([
      [bob, 'liquidator', 'sent', whole(100)],
      [bob, 'liquidator', 'received', whole(995)],
      [alice, 'liquidated', 'sent', whole(1_000)],
      [alice, 'liquidated', 'none', whole(100)],
    ])
    expect(vaultOf(fixture.state, alice, 'USD').vault).toBeNull()
  })
})

describe('entries of the contract', () => {
  it('entries of the contract that repeat the vault are skipped, and unknown ones counted', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ USD: [0n, 0n, 0] })])
    const index = sc.vec(sc.symbol('VaultIndex'), sc.struct({ denomination: sc.symbol('USD'), user: sc.address(alice) }))
    // The flat key of an old type file: not what the contract writes.
    const flat = sc.vec(sc.symbol('Vault'), sc.address(alice), sc.symbol('USD'))
    const { notices, state } = fixture.ledger([entry(vaults, index, sc.u128(5n)), entry(vaults, flat, sc.u128(5n))])
    expect(notices).toMatchObject([{ kind: 'entry', reason: 'unknown key', count: 1 }])
    expect(state).toEqual([])
  })

  it('entries of the contract whose layout an upgrade changed are counted, and what was known before stays', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ USD: [0n, 0n, 0] })])
    const odd = (key: ScVal, value: ScVal) => sc.instance({ kind: 'wasm', hash: '21'.repeat(32) }, [key, value])
    const upgraded = odd(sc.vec(sc.symbol('CoreState')), sc.struct({ fee: sc.u128(7n) }))
    const rewards = odd(sc.vec(sc.symbol('RewardsAsset')), sc.symbol('XLM'))
    const { notices, state } = fixture.ledger([
      entry(vaults, sc.instanceKey(), upgraded, instance({ USD: [0n, 0n, 0] })),
      entry(locking, sc.instanceKey(), rewards),
    ])
    expect(notices.filter(({ kind }) => kind === 'entry')).toMatchObject([
      { contract: vaults, kind: 'entry', reason: 'settings of the vaults have an unknown layout', count: 1 },
      { contract: locking, kind: 'entry', reason: 'settings of a locking pool have an unknown layout', count: 1 },
    ])
    expect(state).toEqual([])
    expect([fixture.state.core?.value.collateral, fixture.state.totals.get('USD')?.value.minimumRatio]).toEqual([xlm, 11_000_000n])
    // Once it can be read again, it counts.
    fixture.ledger([settings({ USD: [5n, 1n, 1] })])
    expect(fixture.state.totals.get('USD')?.value.collateral).toBe(5n)
  })
})
