// Losses without an action of the account that has them: when they are written in their ledger. A bToken of the scene is 1.1 of its asset.

import { sc } from '@orrery/ledger'
import type { Rows } from '@orrery/protocol-kit'
import { StateTable } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { pricedScene, quotes } from './priced-scene.ts'
import { alice, bob, configKey, dataKey, entry, event, oracle, pool, positions, reserveData, Scene, xlm } from './scene.ts'

const writtenBy = (rows: Rows) => rows.positionSnapshots.map(({ address, heartbeat }) => [address, heartbeat])
const all = [alice, bob].sort().map((address) => [address, false])
const SUPPLY = 1_000n
/** The rate of XLM's bTokens, in tenths, in the scene's next ledger. */
const rate = (now: bigint, before: bigint) => entry(pool, dataKey(xlm), reserveData('v2', now, SUPPLY), reserveData('v2', before, SUPPLY))
const supplied = [positions(alice, { 1: 600n }, {}, {}), positions(bob, {}, { 1: 400n }, {}), rate(11n, 10n)]

describe('suppliers of a pool with an oracle of its own', () => {
  it('suppliers of a pool whose rate falls and rises in turn are written once an hour, also after a restart', () => {
    const scene = pricedScene()
    const table = new StateTable()
    table.write(scene.first.state)
    // 100,000 USD each: 1,100 raw units less 1,000 are 1 USD. Ledgers are ten minutes long, and the sixth begins an hour.
    table.write(scene.ledger([quotes(scene, { [xlm]: 10_000_000 }), ...supplied]).state)
    const seen: Record<number, unknown> = {}
    for (let ledger = 3; ledger <= 12; ledger++) {
      // As a restart before this ledger leaves it.
      scene.state = scene.adapter.load(table.asOf(ledger - 1), ledger - 1)
      const rows = scene.ledger([ledger % 2 === 1 ? rate(10n, 11n) : rate(11n, 10n)])
      if (writtenBy(rows).length > 0) seen[ledger] = writtenBy(rows)
      table.write(rows.state)
    }
    // Ledgers 6 and 12 only raise the rate. Ledgers 3 and 5, 7, 9 and 11 lower it.
    const heartbeats = all.map(([address]) => [address, true])
    expect(seen).toEqual({ 3: all, 6: heartbeats, 7: all, 12: heartbeats })
  })

  it('suppliers that lose less than 1 USD, or an asset without a price, have the smaller values in the next hour', () => {
    for (const cents of [9_900_000, null]) {
      const scene = pricedScene()
      scene.ledger([...(cents === null ? [] : [quotes(scene, { [xlm]: cents })]), ...supplied])
      expect(writtenBy(scene.ledger([rate(10n, 11n)]))).toEqual([])
      scene.pass(2)
      expect(writtenBy(scene.ledger())).toEqual(all.map(([address]) => [address, true]))
    }
  })
})

describe('suppliers of a pool of v1', () => {
  it('suppliers of v1 lose nothing when the take rate is raised before a reserve is accrued in the same ledger', () => {
    const scene = new Scene('v1', [], [], [{ contract: oracle, kind: 'reflector', base: { kind: 'symbol', symbol: 'USD' }, decimals: 14 }])
    const config = sc.struct({
      ...{ c_factor: sc.u32(7_500_000), decimals: sc.u32(7), index: sc.u32(1), l_factor: sc.u32(7_500_000), max_util: sc.u32(9_500_000) },
      ...{
        r_base: sc.u32(5_000_000),
        r_one: sc.u32(0),
        r_three: sc.u32(0),
        r_two: sc.u32(0),
        reactivity: sc.u32(0),
        util: sc.u32(5_000_000),
      },
    })
    const data = (bRate: bigint, dRate: bigint, seconds: number) =>
      sc.struct({
        ...{ b_rate: sc.i128(bRate), b_supply: sc.i128(10n ** 12n), backstop_credit: sc.i128(0n), d_rate: sc.i128(dRate) },
        ...{ d_supply: sc.i128(5n * 10n ** 11n), ir_mod: sc.i128(10n ** 9n), last_time: sc.u64(BigInt(seconds)) },
      })
    const before = data(10n ** 9n, 10n ** 9n, 1_788_220_800)
    scene.ledger([
      quotes(scene, { [xlm]: 100_000 }),
      ...[positions(alice, { 1: 6n * 10n ** 11n }, {}, {}), positions(bob, {}, { 1: 4n * 10n ** 11n }, {})],
      ...[entry(pool, configKey(xlm), config), entry(pool, dataKey(xlm), before)],
    ])
    // 1,800 s at 50 % a year are 28,538 parts of 1e9; half of the supply owes them. The take rate goes from 20 % to 100 %, so suppliers get none.
    const instance = (takeRate: number) =>
      sc.instance(
        { kind: 'wasm', hash: 'a4'.repeat(32) },
        [sc.symbol('Backstop'), sc.address(scene.network.deployments.blend[0]?.backstop ?? '')],
        [
          sc.symbol('Config'),
          sc.struct({ bstop_rate: sc.u32(takeRate), max_positions: sc.u32(4), oracle: sc.address(oracle), status: sc.u32(0) }),
        ],
      )
    const rows = scene.ledger(
      [entry(pool, sc.instanceKey(), instance(10_000_000), instance(2_000_000))],
      [entry(pool, dataKey(xlm), data(10n ** 9n, 1_000_028_539n, 1_788_222_600), before), event(pool, 'set_status', [alice], 0)],
    )
    expect(rows.positionSnapshots).toEqual([])
  })
})
