// An index that begins after the pairs were created: what it can infer, and what stays unknown.

import { sc } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { type MadeRecord, madeEntry } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { soroswapView } from '../src/view/view.ts'
import { FoldFixture, factory, network, pairAB, tokenA, tokenB } from './fold-fixture.ts'

const late: Network = { ...network, knownPools: [{ protocol: 'soroswap', contract: pairAB, fromLedger: 1, tokens: [tokenA, tokenB] }] }

/** The pair's instance after an operation, with or without a stored K. */
const instanceWith = (reserve: bigint, kLast: bigint) =>
  sc.instance(
    { kind: 'wasm', hash: '18'.repeat(32) },
    [sc.u32(0), sc.address(tokenA)],
    [sc.u32(1), sc.address(tokenB)],
    [sc.u32(2), sc.i128(reserve)],
    [sc.u32(3), sc.i128(reserve)],
    [sc.u32(4), sc.address(factory)],
    [sc.u32(5), sc.i128(kLast)],
    [sc.vec(sc.symbol('TotalSupply')), sc.i128(10_000n)],
  )
const moved = (kLast: bigint) => madeEntry(pairAB, sc.instanceKey(), instanceWith(20_000n, kLast), instanceWith(10_000n, kLast))
const feeSwitch = (on: boolean) =>
  madeEntry(
    factory,
    sc.instanceKey(),
    sc.instance({ kind: 'wasm', hash: '5d'.repeat(32) }, [sc.vec(sc.symbol('FeesEnabled')), sc.bool(on)]),
  )

describe('a pair that predates the index', () => {
  it('a pair that predates the index shows by its stored K whether fees are on, until its factory shows it', () => {
    const feesOf = (...records: MadeRecord[]) => new FoldFixture(late).ledger(records).poolSnapshots[0]?.native.fees_enabled
    expect(feesOf(moved(100_000_000n))).toBe(true)
    expect(feesOf(moved(0n))).toBe(false)
    expect(feesOf(moved(100_000_000n), feeSwitch(false))).toBe(false)
    expect(feesOf(moved(0n), feeSwitch(true))).toBe(true)
  })

  it('a pair that predates the index is among the pools of a reader, although no factory of the index announced it', () => {
    const view = soroswapView(late)
    const nothing = view.load([], 0)
    expect(view.pools(nothing)).toEqual([pairAB])
    expect(view.pool(nothing, pairAB, { ledger: 0, closeTimeSeconds: 0 }, new Map())).toBeNull()
  })
})
