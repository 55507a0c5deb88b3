// A pair that loses tokens: its holders have less without an action of their own.

import { type ContractId, sc } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { madeEntry, StateTable, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { alice, bob, entries, FoldFixture, make, network, pairAB, tokenA, tokenB } from './fold-fixture.ts'

const figures = { reserve0: 500n, reserve1: 2_000n, supply: 1_000n }
const key = sc.vec(sc.symbol('Balance'), sc.address(pairAB))
const balance = (token: ContractId, now: bigint, before?: bigint) =>
  madeEntry(token, key, sc.i128(now), before === undefined ? undefined : sc.i128(before))

const oracle = testContract('oracle')

/** An oracle of Reflector's kind has from the first ledger on a price of 100,000 USD for a token, so that 100 raw units are 1 USD. */
function quotes(fixture: FoldFixture) {
  const ms = BigInt(fixture.at.closeTimeSeconds) * 1_000n
  const assets = [tokenA, tokenB]
  const price = sc.i128(100_000n * 10n ** 14n)
  const round = sc.struct({ mask: sc.bytes(new Uint8Array([0b11])), prices: sc.vec(price, price) })
  const instance = sc.instance(
    { kind: 'wasm', hash: '34'.repeat(32) },
    [sc.string('assets'), sc.vec(...assets.map((asset) => sc.vec(sc.symbol('Stellar'), sc.address(asset))))],
    [sc.string('base_asset'), sc.vec(sc.symbol('Other'), sc.symbol('USD'))],
    [sc.string('cache'), sc.vec(sc.vec(sc.u64(ms), round))],
    [sc.string('decimals'), sc.u32(14)],
    [sc.string('last_timestamp'), sc.u64(ms)],
    [sc.string('protocol'), sc.u32(2)],
    // Longer than any test: an answer that is two resolutions old is none.
    [sc.string('resolution'), sc.u32(36_000_000)],
  )
  return madeEntry(oracle, sc.instanceKey(), instance)
}
const priced = {
  ...network,
  oracles: [{ contract: oracle, kind: 'reflector', base: { kind: 'symbol', symbol: 'USD' }, decimals: 14 }],
} as const

/** Alice has 600 of 1,000 shares, bob 300; the rest is locked. The pair's balances equal its reserves. Ledgers are ten minutes apart. */
function filled(of: Network = priced, table = new StateTable()): FoldFixture {
  const fixture = new FoldFixture(of)
  const { state } = fixture.ledger([
    quotes(fixture),
    make.newPair(pairAB, tokenA, tokenB, 1),
    entries.instance(pairAB, figures),
    ...[entries.shares(pairAB, pairAB, 100n), entries.shares(pairAB, alice, 600n), entries.shares(pairAB, bob, 300n)],
    ...[balance(tokenA, 500n), balance(tokenB, 2_000n)],
    ...[make.mint(pairAB, alice, 900n), make.transfer(pairAB, alice, bob, 300n), make.deposit(pairAB, 900n, [500n, 2_000n], alice)],
  ])
  table.write(state)
  return fixture
}
const written = (rows: ReturnType<FoldFixture['ledger']>) =>
  rows.positionSnapshots.map(({ address, heartbeat, native }) => [address, heartbeat, native.amounts])

const ofAll = [alice, bob].sort()
const writtenBy = (rows: ReturnType<FoldFixture['ledger']>) => written(rows).map(([address, heartbeat]) => [address, heartbeat])

describe('a pair', () => {
  it('a pair whose token is clawed back has a snapshot of every holder in that ledger, as a change', () => {
    // 400 · 600 / 1,000 and 2,000 · 600 / 1,000; the same for 300 shares.
    expect(written(filled().ledger([balance(tokenA, 400n, 500n)]))).toEqual(
      [
        [alice, false, ['240', '1200']],
        [bob, false, ['120', '600']],
      ].sort(),
    )
  })

  it('a pair that takes its smaller balance for its reserve in the same ledger has them too', () => {
    const synced = [balance(tokenA, 400n, 500n), entries.instance(pairAB, { ...figures, reserve0: 400n }, figures)]
    expect(written(filled().ledger(synced))).toHaveLength(2)
  })

  it('a pair whose token takes and returns units in turn writes its holders once an hour, and so it does after a restart', () => {
    const table = new StateTable()
    const fixture = filled(priced, table)
    const seen: Record<number, unknown> = {}
    const restarted: Record<number, unknown> = {}
    for (let ledger = 2; ledger <= 11; ledger++) {
      const isTaken = ledger % 2 === 0
      const slice = fixture.slice([isTaken ? balance(tokenA, 400n, 500n) : balance(tokenA, 500n, 400n)])
      const loaded = fixture.adapter.load(table.asOf(ledger - 1), ledger - 1)
      const rows = fixture.adapter.fold(fixture.state, slice)
      if (writtenBy(rows).length > 0) seen[ledger] = writtenBy(rows)
      const again = writtenBy(fixture.adapter.fold(loaded, slice))
      if (again.length > 0) restarted[ledger] = again
      table.write(rows.state)
    }
    // Ledgers 2, 4, 6, 8 and 10 take; ledger 6 is the first of the next hour.
    const all = ofAll.map((address) => [address, false])
    expect(seen).toEqual({ 2: all, 6: all })
    expect(restarted).toEqual(seen)
  })

  it('a pair that loses less than 1 USD, or tokens without a price, has the smaller values in the next hour', () => {
    for (const [fixture, less] of [
      [filled(), 401n],
      [filled({ ...priced, oracles: [] }), 1n],
    ] as const) {
      expect(written(fixture.ledger([balance(tokenA, less, 500n)]))).toEqual([])
      for (let ledger = 3; ledger <= 5; ledger++) fixture.ledger()
      expect(writtenBy(fixture.ledger())).toEqual(ofAll.map((address) => [address, true]))
    }
  })

  it('a pair that trades, or gets a gift and loses it again, has snapshots only of holders whose shares changed', () => {
    const fixture = filled()
    const traded = { ...figures, reserve0: 600n, reserve1: 1_700n }
    expect(
      written(fixture.ledger([entries.instance(pairAB, traded, figures), balance(tokenA, 600n, 500n), balance(tokenB, 1_700n, 2_000n)])),
    ).toEqual([])
    expect(written(fixture.ledger([balance(tokenA, 650n, 600n)]))).toEqual([])
    expect(written(fixture.ledger([balance(tokenA, 600n, 650n)]))).toEqual([])
  })

  it('a pair that pays out a withdrawal has a snapshot only of the holder who left', () => {
    const less = { reserve0: 350n, reserve1: 1_400n, supply: 700n }
    const rows = filled().ledger([
      ...[entries.instance(pairAB, less, figures), entries.shares(pairAB, bob, 0n, 300n)],
      ...[balance(tokenA, 350n, 500n), balance(tokenB, 1_400n, 2_000n)],
      ...[make.transfer(pairAB, bob, pairAB, 300n), make.burn(pairAB, pairAB, 300n), make.withdraw(pairAB, 300n, [150n, 600n], bob)],
    ])
    expect(written(rows)).toEqual([[bob, false, ['0', '0']]])
  })
})
