// State entries as they are stored: the bytes of every kind of row, written out by hand, and the page that lists them.

import { stateTable } from '@orrery/fold-kit'
import type { StateRow } from '@orrery/protocol-kit'
import { testContract } from '@orrery/testkit'
import { statePage } from '@orrery/testkit/state-page'
import { describe, expect, it } from 'vitest'
import { aquarius } from '../src/protocol.ts'
import { alice, aqua, network, pool, router, shares, tokenA, tokenB } from './scene.ts'

const gauge = testContract('gauge')
const boostFeed = testContract('boost feed')

const REWARDS = `"reward_token":"${aqua}","reward_tps":"5","reward_expires_at":"1788220800","reward_accumulated":"6","reward_block":"7","reward_claimed":"8","reward_last_time":"9"`
const NO_REWARDS =
  '"reward_token":"","reward_tps":"0","reward_expires_at":"0","reward_accumulated":"0","reward_block":"0","reward_claimed":"0","reward_last_time":"0","working_supply":null,"gauges":[]'
const LISTING = `{"router":"${router}","tokens":["${tokenA}","${tokenB}"],"kind":"constant","index":"00ff","registered":true,"announced":true}`

/** Rows as adapter version 4 has stored them from the beginning. A change of a byte here is a change of stored rows. */
const STORED: readonly (readonly [contract: string, key: string, value: string])[] = [
  [router, 'router', `{"reward_token":"${aqua}","token_sets":"12","protocol_fee":"5000","code":"ab"}`],
  [router, 'rewards', '{"tokens_per_second":"1000","expires_at":"1788220800"}'],
  [router, `pool:${pool}`, LISTING],
  [pool, 'registered', LISTING],
  [pool, 'registered', `{"router":"${router}","tokens":[],"kind":"type 4","index":"","registered":false,"announced":false}`],
  [
    pool,
    'pool',
    `{"layout":"constant_product","code":"ab","release":"184","known_build":true,"router":"${router}","tokens":["${tokenA}","${tokenB}"],"reserves":["1","2"],"protocol_fees":["3","4"],"fee":"30","protocol_fee":"5000","share_token":"${shares}","next_share_token":"${tokenB}","total_shares":"10","killed":[true,false,true,false],"sync_ledger":"77",${REWARDS},"working_supply":"11","gauges":[["${tokenB}","${gauge}"]]}`,
  ],
  [
    pool,
    'pool',
    `{"layout":"stable","code":"","release":"150","known_build":false,"router":"","tokens":[],"reserves":[],"protocol_fees":[],"fee":"0","protocol_fee":"0","share_token":"","total_shares":"0","killed":[false,false,false,false],"sync_ledger":"0",${NO_REWARDS},"a_initial":"1","a_initial_time":"2","a_future":"3","a_future_time":"4","decimals":["7","6"]}`,
  ],
  [
    pool,
    'pool',
    `{"layout":"stable","code":"","release":"170","known_build":false,"router":"","tokens":[],"reserves":[],"protocol_fees":[],"fee":"0","protocol_fee":"0","share_token":"","total_shares":"0","killed":[false,false,false,false],"sync_ledger":"0",${NO_REWARDS},"a_initial":"0","a_initial_time":"0","a_future":"0","a_future_time":"0","decimals":null}`,
  ],
  [
    pool,
    'pool',
    `{"layout":"concentrated","code":"","release":"200","known_build":true,"router":"","tokens":[],"reserves":[],"protocol_fees":[],"fee":"0","protocol_fee":"0","share_token":"","total_shares":"340282366920938463463374607431768211455","killed":[false,false,false,false],"sync_ledger":"0",${NO_REWARDS},"sqrt_price":"79228162514264337593543950336","tick":"-1","tick_spacing":"60","liquidity":"100","fee_growth":["1","115792089237316195423570985008687907853269984665640564039457584007913129639935"],"weighted_liquidity":"5","initialized_ticks":["-60","60"]}`,
  ],
  [pool, `balance:${tokenA}`, '{"amount":"-5"}'],
  [pool, `gauge_balance:${gauge}`, '{"amount":"5"}'],
  [
    pool,
    `gauge:${gauge}`,
    `{"pool":"${pool}","reward_token":"${aqua}","rates":[["1","2","3"]],"accumulated":"4","claimed":"5","epoch":"6","index":"7"}`,
  ],
  [pool, 'ticks:-1', '{"ticks":[["15","1","2","3","-4"],["2","0","0","1","1"]]}'],
  [pool, 'reward_index', '{"total":"1","page":"2","page_sum":"3"}'],
  [pool, 'burnt', '{"amount":"4"}'],
  [
    pool,
    'counters',
    '{"since_seconds":"1","at_seconds":"2","fees_usd":"0.00000003","lp_fees_usd":"0","volume_usd":"4","value_seconds_usd":"123456789012345678901234567890","tvl_usd":"5.1"}',
  ],
  [pool, `@${alice}:shares`, '{"amount":"100"}'],
  [pool, `@${alice}:next_shares`, '{"amount":"101"}'],
  [pool, `@${alice}:range:-60:120`, '{"liquidity":"1","fee_growth_inside":["2","3"],"owed":["4","5"]}'],
  [pool, `@${alice}:user`, '{"raw_liquidity":"1","weighted_liquidity":"2","ranges":[["-60","120"]]}'],
  [pool, `@${alice}:reward`, '{"last_block":"1","pool_accumulated":"2","to_claim":"3","index":null}'],
  [pool, `@${alice}:reward`, '{"last_block":"1","pool_accumulated":"2","to_claim":"3","index":"4"}'],
  [pool, `@${alice}:working_balance`, '{"amount":"1"}'],
  [pool, `@${alice}:working_balance`, '{"amount":"1","terms":["2","3","4"]}'],
  [pool, `@${alice}:takes_rewards`, '{"value":false}'],
  [pool, `@${alice}:gauge:${gauge}`, '{"epoch":"1","index":"2","to_claim":"3"}'],
  [pool, `@${alice}:cost`, '{"units":"100","cost_usd":"1.5","realized_usd":"-0.00000001","opened_ledger":"7","confidence":"exact"}'],
  [pool, `@${alice}:range_cost:-60:120`, '{"units":"0","cost_usd":null,"realized_usd":null,"opened_ledger":"0","confidence":"inferred"}'],
  [pool, `@${alice}:small`, '{"small":true}'],
  [shares, 'share', `{"pool":"${pool}"}`],
  [shares, 'share', `{"pool":"${pool}","counts":false}`],
  [boostFeed, 'boost', '{"amount":"1000"}'],
  [tokenA, 'asset', '{"decimals":"7","name":"Token A","symbol":"A"}'],
]

const rowOf = (contract: string, key: string, value: string): StateRow => ({
  protocol: 'aquarius',
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

statePage('aquarius', stateTable(aquarius.entries.list))

describe('a stored row of Aquarius', () => {
  it('is written again byte for byte after it was read, for every entry of the list', () => {
    const written = STORED.map(([contract, key, value]) => {
      const read = aquarius.entries.readKey(rowOf(contract, key, value))
      return { key: read?.entry.key, value: read?.entry.rewrite(value) }
    })
    expect(written.map(({ value }) => value)).toEqual(STORED.map(([, , value]) => value))
    expect([...new Set(written.map(({ key }) => key))].sort()).toEqual(aquarius.entries.list.map(({ key }) => key).sort())
  })

  it('that misses a member, or has one of another kind, stops the load and names the member', () => {
    const load = (contract: string, key: string, value: string) => () => aquarius.adapter(network).load([rowOf(contract, key, value)], 9)
    const unreadable = (member: string) =>
      expect.objectContaining({ code: 'state_unreadable', context: expect.objectContaining({ member }) })
    expect(load(pool, `@${alice}:shares`, '{"amount":100}')).toThrow(unreadable('amount'))
    expect(load(pool, `@${alice}:range:-60:120`, '{"liquidity":"1","fee_growth_inside":["2"],"owed":["4","5"]}')).toThrow(
      unreadable('fee_growth_inside'),
    )
    expect(load(pool, `gauge:${gauge}`, `{"pool":"${pool}","reward_token":"${aqua}","rates":[["1","2"]]}`)).toThrow(unreadable('rates'))
    expect(load(pool, 'pool', '{"layout":"weighted"}')).toThrow(unreadable('layout'))
    expect(load(pool, 'registered', 'not JSON')).toThrow(unreadable('value'))
    expect(load(pool, 'reserves', '{}')).toThrow(unreadable('key'))
  })

  it('of a pool is enough to know its tokens, its gauges and its share token, whichever row comes first', () => {
    const of = (key: string) => STORED.filter((row) => row[0] === pool && row[1] === key).map((row) => rowOf(...row))
    const [instance] = of('pool')
    const [listed, unlisted] = of('registered')
    if (instance === undefined || listed === undefined || unlisted === undefined) throw new Error('rows of the pool')
    for (const rows of [
      [instance, unlisted],
      [unlisted, instance],
    ]) {
      const state = aquarius.adapter(network).load(rows, 9)
      expect(state.pools.get(pool)).toMatchObject({ tokens: [tokenA, tokenB], owned: true, listing: { isRegistered: false } })
      expect([state.shareTokens.get(shares), state.gaugePools.get(gauge)]).toEqual([{ pool, counts: true }, pool])
    }
    expect(aquarius.adapter(network).load([listed], 9).pools.get(pool)).toMatchObject({ tokens: [tokenA, tokenB], owned: false })
  })
})
