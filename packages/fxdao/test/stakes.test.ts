// Locked stakes, inferred from tokens and entries: with a recorded call, or of a contract that acts for itself.

import { type Address, type ContractId, sc } from '@orrery/ledger'
import type { ActivityRow, Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { foldAll, recordedSlices, recording, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { fxdao } from '../src/protocol.ts'
import {
  alice,
  bob,
  call,
  deposit,
  depositArguments,
  entry,
  FoldFixture,
  locking,
  lockingPool,
  lp,
  type MadeRecord,
  pay,
  rates,
  secondsOf,
  settings,
  usdx,
  whole,
  xlm,
} from './fold-fixture.ts'

/** A pool of LP shares that pays XLM, and one of XLM that pays the same; both as they were set up. */
function staking(): FoldFixture {
  const fixture = new FoldFixture()
  const rewards = sc.instance({ kind: 'wasm', hash: '20'.repeat(32) }, [sc.vec(sc.symbol('RewardsAsset')), sc.address(xlm)])
  fixture.ledger(
    [settings({ USD: [0n, 0n, 0] })],
    rates({ USD: 0.25 }, secondsOf(1)),
    [entry(locking, sc.instanceKey(), rewards)],
    [lockingPool(lp), lockingPool(xlm)],
  )
  return fixture
}

const lock = (owner: Address, units: number, asset: ContractId) => call(locking, 'deposit', ...depositArguments(asset, owner, whole(units)))
const unlock = (owner: Address, asset: ContractId) => call(locking, 'withdraw', sc.address(asset), sc.address(owner))
const result = (rows: readonly ActivityRow[]) =>
  rows.map(({ activityType, address, assetId, amount, direction, confidence }) => [
    activityType,
    address,
    assetId,
    amount,
    direction,
    confidence,
  ])

describe('a stake that is taken back', () => {
  it('a stake that is taken back follows its rewards, also where both are of one asset', () => {
    const fixture = staking()
    fixture.ledger([lock(alice, 40, xlm), pay(alice, locking, whole(40)), deposit(alice, whole(40), null, xlm)])
    const paid = [pay(locking, alice, whole(2)), pay(locking, alice, whole(40))]
    const { activities } = fixture.ledger([unlock(alice, xlm), ...paid, deposit(alice, null, whole(40), xlm)])
    expect(result(activities)).toEqual([
      ['unstake', alice, xlm, whole(40), 'received', 1],
      ['claim', alice, xlm, whole(2), 'received', 1],
    ])
  })

  it('a stake that is taken back gets only its own rewards: one that earned nothing takes none of the next one', () => {
    const fixture = staking()
    fixture.ledger([deposit(alice, whole(40), null, lp), deposit(bob, whole(30), null, lp)])
    const { activities } = fixture.ledger([
      ...[unlock(alice, lp), unlock(bob, lp)],
      ...[pay(locking, alice, whole(40), lp), pay(locking, bob, whole(2)), pay(locking, bob, whole(30), lp)],
      ...[deposit(alice, null, whole(40), lp), deposit(bob, null, whole(30), lp)],
    ])
    expect(result(activities)).toEqual([
      ['unstake', alice, lp, whole(40), 'received', 1],
      ['unstake', bob, lp, whole(30), 'received', 1],
      ['claim', bob, xlm, whole(2), 'received', 1],
    ])
  })

  it('a stake that is taken back is no reward of another stake that follows, where the rewards asset is locked too', () => {
    const fixture = staking()
    fixture.ledger([deposit(alice, whole(40), null, xlm), deposit(alice, whole(30), null, lp)])
    const { activities } = fixture.ledger([
      ...[unlock(alice, xlm), unlock(alice, lp)],
      ...[pay(locking, alice, whole(40)), pay(locking, alice, whole(30), lp)],
      ...[deposit(alice, null, whole(40), xlm), deposit(alice, null, whole(30), lp)],
    ])
    expect(result(activities)).toEqual([
      ['unstake', alice, xlm, whole(40), 'received', 1],
      ['unstake', alice, lp, whole(30), 'received', 1],
    ])
  })

  it('a stake that is taken back may be worth as much as its rewards', () => {
    const fixture = staking()
    fixture.ledger([deposit(alice, whole(40), null, xlm)])
    const { activities } = fixture.ledger([
      ...[unlock(alice, xlm), pay(locking, alice, whole(40)), pay(locking, alice, whole(40))],
      deposit(alice, null, whole(40), xlm),
    ])
    expect(activities.map(({ activityType }) => activityType)).toEqual(['unstake', 'claim'])
  })

  it('a stake that is taken back may be locked again at once, in both orders of two authorisations', () => {
    const again: MadeRecord[] = [
      ...[pay(locking, alice, whole(40), lp), pay(alice, locking, whole(50), lp)],
      deposit(alice, whole(50), whole(40), lp),
    ]
    for (const calls of [
      [unlock(alice, lp), lock(alice, 50, lp)],
      [lock(alice, 50, lp), unlock(alice, lp)],
    ]) {
      const fixture = staking()
      fixture.ledger([deposit(alice, whole(40), null, lp)])
      const { activities } = fixture.ledger([...calls, ...again])
      expect(new Set(activities.map(({ activityType, amount }) => `${activityType} ${amount / whole(1)}`))).toEqual(
        new Set(['unstake 40', 'stake 50']),
      )
    }
  })

  it('a stake that is taken back that came and went in one operation left no entry, and is inferred from its calls', () => {
    const { activities } = staking().ledger([
      ...[lock(alice, 40, lp), unlock(alice, lp)],
      ...[pay(alice, locking, whole(40), lp), pay(locking, alice, whole(40), lp)],
    ])
    expect(activities.map(({ activityType }) => activityType)).toEqual(['stake', 'unstake'])
  })
})

describe('a contract that stakes for itself', () => {
  const owner = testContract('a staking contract')

  it('a contract that stakes for itself is inferred from the payment and the entry', () => {
    const fixture = staking()
    const locked = fixture.ledger([pay(owner, locking, whole(40), lp), deposit(owner, whole(40), null, lp)])
    expect(result(locked.activities)).toEqual([['stake', owner, lp, whole(40), 'sent', 0.9]])
    expect(locked.activities[0]?.metadata).toMatchObject({ event: 'deposit', attribution: 'transfers' })
    const back = [pay(locking, owner, whole(2)), pay(locking, owner, whole(40), lp)]
    expect(result(fixture.ledger([...back, deposit(owner, null, whole(40), lp)]).activities)).toEqual([
      ['unstake', owner, lp, whole(40), 'received', 0.9],
      ['claim', owner, xlm, whole(2), 'received', 0.9],
    ])
  })

  it('a contract that stakes for itself pays rewards where the factor of stakes rises with its payment, and locks a stake where it does not', () => {
    const fixture = staking()
    const rewarded = fixture.ledger([pay(owner, locking, whole(100)), lockingPool(lp, 10_500_000n, 500_000n)])
    expect(result(rewarded.activities)).toEqual([['emission', owner, xlm, whole(100), 'sent', 0.9]])
    expect(rewarded.activities[0]?.metadata).toMatchObject({ event: 'distribute', staked_asset: lp })
    expect(fixture.ledger([pay(owner, locking, whole(100)), lockingPool(lp, 10_500_000n, 10_500_000n)]).activities).toEqual([])
  })

  it('a contract that stakes for itself pays rewards to two pools at once, each by its factor: 100 units are staked in both', () => {
    const { activities } = staking().ledger([
      ...[pay(owner, locking, whole(100)), pay(owner, locking, whole(200))],
      ...[lockingPool(lp, 20_500_000n, 500_000n), lockingPool(xlm, 10_500_000n, 500_000n)],
    ])
    expect(activities.map(({ amount, metadata }) => [amount, metadata.staked_asset])).toEqual([
      [whole(100), xlm],
      [whole(200), lp],
    ])
  })
})

it('a stake that moves to another asset moves no token, and is no activity', () => {
  const fixture = staking()
  fixture.ledger([deposit(alice, whole(40), null, lp)])
  const { activities } = fixture.ledger([
    call(locking, 'migrate_deposits', sc.address(lp), sc.address(usdx), sc.vec(sc.address(alice))),
    ...[deposit(alice, null, whole(40), lp), deposit(alice, whole(40), null, usdx)],
  ])
  expect(activities.map(({ activityType }) => activityType)).toEqual(['admin'])
})

it('the recording without its calls gives the same stakes, rewards and distributions', async () => {
  const forge = recording()
  const network = await loadNetwork(forge.registryFile)
  const slices = await recordedSlices(forge, network, fxdao)
  const pools = new Set(network.deployments.fxdao.flatMap(({ lockingPools }) => lockingPools))
  const isOfPool = ({ record }: Slice['records'][number]): boolean => record.kind === 'call' && pools.has(record.contract)
  const without = slices.map((slice) => ({ ...slice, records: slice.records.filter((it) => !isOfPool(it)) }))
  const stakesOf = (of: readonly Slice[]): string[] =>
    [...foldAll(of, fxdao.adapter(network))]
      .flatMap(({ rows }) => rows.activities)
      .filter((row) => pools.has(row.contract) && row.activityType !== 'admin')
      .map(({ key, activityType, address, assetId, amount, direction }) =>
        [key.ledger, key.txOrder, activityType, address, assetId, amount, direction].join(' '),
      )
  const all = stakesOf(slices)
  expect(all.length).toBeGreaterThan(100)
  expect(stakesOf(without)).toEqual(all)
})
