// State entries as they are stored: the bytes of every kind of row, written out by hand, and the page that lists them.

import { stateTable } from '@orrery/fold-kit'
import type { StateRow } from '@orrery/protocol-kit'
import { statePage } from '@orrery/testkit/state-page'
import { describe, expect, it } from 'vitest'
import { blend } from '../src/protocol.ts'
import { alice, backstop, comet, emitter, factory, pool, Scene, usdc, xlm } from './scene.ts'

const CONFIG =
  '"index":"1","decimals":"7","c_factor":"9500000","l_factor":"9500000","util":"8000000","max_util":"9500000","r_base":"200000","r_one":"900000","r_two":"3000000","r_three":"50000000","reactivity":"20"'

/** Rows as adapter version 2 has stored them from the beginning. A change of a byte here is a change of stored rows. */
const STORED: readonly (readonly [contract: string, key: string, value: string])[] = [
  [factory, `pool:${pool}`, '{"announced":true}'],
  [
    pool,
    'pool',
    '{"name":"A \\"quoted\\" name","admin":"GA","backstop":"CB","blnd":"CD","oracle":"CO","bstop_rate":"2000000","max_positions":"12","status":"6","min_collateral":"170141183460469231731687303715884105727","code":"a41fc53d"}',
  ],
  [
    pool,
    'pool',
    '{"name":"","admin":"","backstop":"CB","blnd":"","oracle":"CO","bstop_rate":"0","max_positions":"0","status":"0","min_collateral":null,"code":""}',
  ],
  [pool, 'reserves', `{"contracts":["${xlm}","${usdc}"]}`],
  [pool, `config:${usdc}`, `{${CONFIG},"supply_cap":"1000000000000000000","enabled":true}`],
  [pool, `config:${usdc}`, `{${CONFIG},"supply_cap":null,"enabled":null}`],
  [
    pool,
    `data:${usdc}`,
    '{"b_rate":"1000000550601","d_rate":"1000294759366","b_supply":"14336495051948828","d_supply":"0","backstop_credit":"-1","ir_mod":"1000000","last_time":"1790185937"}',
  ],
  [pool, `queued:${usdc}`, `{${CONFIG},"supply_cap":"1","enabled":false,"unlock_time":"1788900153"}`],
  [pool, `queued:${usdc}`, `{${CONFIG},"supply_cap":null,"enabled":null,"unlock_time":"1788900153"}`],
  [pool, 'emission_shares', '{"shares":{"1":"4000000","2":"6000000"}}'],
  [pool, 'emission:3', '{"index":"0","last_time":"1788737674","eps":null,"expiration":null}'],
  [pool, 'emission:11', '{"index":"577134447671012","last_time":"1791473818","eps":"6751698319130","expiration":"1791988620"}'],
  [pool, 'emission_config:1', '{"eps":"1033298","expiration":"1789342474"}'],
  [pool, 'backstop', '{"shares":"219507584389075","queued_shares":"1518628444373","tokens":"0"}'],
  [pool, 'backstop_emission', '{"index":"1734926827789863","last_time":"1790471633","eps":"67814230167774","expiration":"1791076433"}'],
  [pool, 'backstop_emission_config', '{"eps":"3502960","expiration":"1789208706"}'],
  [pool, 'backstop_waiting', '{"accrued":"0","last_time":null}'],
  [pool, 'backstop_waiting', '{"accrued":"1685680000000","last_time":"1791383820"}'],
  [pool, `@${alice}:positions`, '{"supply":{},"collateral":{"0":"45186575575571","10":"5"},"liabilities":{"1":"119818556817"}}'],
  [pool, `@${alice}:emission:2`, '{"index":"693622622024917","accrued":"1064254926885"}'],
  [pool, `@${alice}:backstop`, '{"shares":"144641283","queue":[]}'],
  [pool, `@${alice}:backstop`, '{"shares":"0","queue":[["1594397604475","1791466288"],["3188795208951","1791466289"]]}'],
  [pool, `@${alice}:backstop_emission`, '{"index":"270149001662645","accrued":"0"}'],
  [pool, `@${alice}:auction:0`, '{"bid":{"CB":"129023561334","CA":"46298929095"},"lot":{},"block":"1005592"}'],
  [
    pool,
    `@${alice}:cost:supply:${usdc}`,
    '{"units":"100","cost_usd":"900227.34772519","realized_usd":"-0.00000001","opened_ledger":"7","confidence":"exact","net_paid":"-5"}',
  ],
  [
    pool,
    `@${alice}:cost:backstop`,
    '{"units":"0","cost_usd":null,"realized_usd":null,"opened_ledger":"0","confidence":"inferred","net_paid":"0"}',
  ],
  [pool, `@${alice}:health_step`, '{"health_factor":"1.1234567","step":"112"}'],
  [pool, `@${alice}:small`, '{"small":true}'],
  [pool, 'loss', '{"hour":"496960"}'],
  [pool, `balance:${usdc}`, '{"amount":"30775637068631726"}'],
  [backstop, `balance:${comet}`, '{"amount":"0"}'],
  [backstop, 'whole', '{"emitter":"CE","backstop_token":"CT","pool_factory":"CF","blnd":"CD","usdc":"CU"}'],
  [backstop, 'reward_zone', `{"contracts":["${pool}"]}`],
  [backstop, 'last_distribution', '{"amount":"1791467210"}'],
  [backstop, 'lp_value', '{"blnd_per_lp":"102524676","usdc_per_lp":"2263783"}'],
  [backstop, 'backfill_emissions', '{"amount":"11745200000000"}'],
  [backstop, 'backfilled', '{"flag":false}'],
  [emitter, 'emitter', '{"backstop":"CB","backstop_token":"CT","blnd":"CD"}'],
  [emitter, 'queued_swap', '{"backstop":"CB","backstop_token":"CT","unlock_time":"1790930543"}'],
  [emitter, `last_distribution:${backstop}`, '{"amount":"1788492288"}'],
  [emitter, `dropped:${backstop}`, '{"flag":true}'],
  [comet, 'records', '{"records":[["CU","1258602158048","2000000"],["CD","50344086321891","8000000"]]}'],
  [comet, 'total_shares', '{"amount":"5073383125999"}'],
  [comet, 'swap_fee', '{"amount":"30000"}'],
  [comet, `@${alice}:lp`, '{"amount":"1501000000000"}'],
  [comet, 'whole_life', '{"flag":true}'],
  [usdc, 'asset', '{"decimals":"7","name":"USD Coin","symbol":"USDC"}'],
]

const rowOf = (contract: string, key: string, value: string): StateRow => ({
  protocol: 'blend',
  contract,
  key,
  ledger: 5,
  closeTimeSeconds: 0,
  owner: key.startsWith('@') ? alice : '',
  scope: 0,
  liveUntil: 9,
  durability: 'persistent',
  removed: false,
  inferred: false,
  value,
})

const { network } = new Scene('v2')

statePage('blend', stateTable(blend.entries.list))

describe('a stored row of Blend', () => {
  it('a stored row is written again byte for byte after it was read, for every entry of the list', () => {
    const written = STORED.map(([contract, key, value]) => {
      const read = blend.entries.readKey(rowOf(contract, key, value))
      return { key: read?.entry.key, value: read?.entry.rewrite(value) }
    })
    expect(written.map(({ value }) => value)).toEqual(STORED.map(([, , value]) => value))
    expect([...new Set(written.map(({ key }) => key))].sort()).toEqual(blend.entries.list.map(({ key }) => key).sort())
  })

  it('a stored row is loaded into the state of its contract', () => {
    const state = blend.adapter(network).load(
      STORED.map(([contract, key, value]) => rowOf(contract, key, value)),
      9,
    )
    expect([...state.pools.keys()]).toEqual([pool])
    expect(state.pools.get(pool)).toMatchObject({ listed: true, owned: true, lossHour: 496_960, changedLedger: 5 })
    expect(state.pools.get(pool)?.accounts.get(alice)?.costs?.get('backstop')?.netPaid).toBe(0n)
    expect(state.comets.get(comet)).toMatchObject({ wholeLife: true, heldShares: 1_501_000_000_000n })
    expect(state.backstops.get(backstop)?.balances.get(comet)).toEqual({ value: 0n, liveUntil: 9 })
  })

  it('a row that misses a member, or is filed under a contract without such an entry, stops the load', () => {
    const load = (contract: string, key: string, value: string) => () => blend.adapter(network).load([rowOf(contract, key, value)], 9)
    const unreadable = (member: string) =>
      expect.objectContaining({ code: 'state_unreadable', context: expect.objectContaining({ member }) })
    expect(load(pool, `config:${usdc}`, `{${CONFIG},"supply_cap":null}`)).toThrow(unreadable('enabled'))
    expect(load(pool, `@${alice}:backstop`, '{"shares":"1","queue":[["1","2","3"]]}')).toThrow(unreadable('queue'))
    expect(load(comet, 'records', '{"records":[["CU","1"]]}')).toThrow(unreadable('records'))
    for (const [contract, key, value] of [
      [backstop, `data:${usdc}`, '{}'],
      [pool, 'whole', '{}'],
      [pool, `pool:${pool}`, '{"announced":true}'],
      [emitter, `balance:${usdc}`, '{"amount":"1"}'],
      [factory, 'pool', '{}'],
      [pool, `@${alice}:auction:3`, '{"bid":{},"lot":{},"block":"1"}'],
      [pool, `@${alice}:cost:other`, '{}'],
      [pool, `@${alice}:lp`, '{"amount":"1"}'],
      [pool, 'index', '{}'],
    ] as const)
      expect(load(contract, key, value), key).toThrow(unreadable('key'))
  })
})
