// State entries as they are stored: the bytes of every kind of row, written out by hand, and the page that lists them.

import { stateTable } from '@orrery/fold-kit'
import type { StateRow } from '@orrery/protocol-kit'
import { statePage } from '@orrery/testkit/state-page'
import { describe, expect, it } from 'vitest'
import { soroswap } from '../src/protocol.ts'
import { alice, factory, network, pairAB, tokenA, tokenB } from './fold-fixture.ts'

/** Rows as adapter version 3 has stored them from the beginning. A change of a byte here is a change of stored rows. */
const STORED: readonly (readonly [contract: string, key: string, value: string])[] = [
  [factory, 'factory', '{"fee_to":"GA","fee_to_setter":"GB","total_pairs":"12","fees_enabled":true}'],
  [factory, `pair:${pairAB}`, `{"token_0":"${tokenA}","token_1":"${tokenB}","index":"0"}`],
  [factory, `pair:${pairAB}`, `{"token_0":"${tokenA}","token_1":"${tokenB}","index":null}`],
  [
    pairAB,
    'pair',
    `{"token_0":"${tokenA}","token_1":"${tokenB}","reserve_0":"170141183460469231731687303715884105727","reserve_1":"0","factory":"${factory}","k_last":null,"total_supply":"1000","decimals":null,"name":null,"symbol":null,"code":""}`,
  ],
  [
    pairAB,
    'pair',
    `{"token_0":"${tokenA}","token_1":"${tokenB}","reserve_0":"1","reserve_1":"2","factory":"${factory}","k_last":"3","total_supply":"4","decimals":"7","name":"A \\"quoted\\" name","symbol":"A-B","code":"18181818"}`,
  ],
  [pairAB, `balance:${tokenA}`, '{"amount":"-5"}'],
  [pairAB, `@${alice}:shares`, '{"amount":"100"}'],
  [pairAB, `@${alice}:cost`, '{"units":"100","cost_usd":"1.5","realized_usd":"-0.00000001","opened_ledger":"7","confidence":"exact"}'],
  [pairAB, `@${alice}:cost`, '{"units":"0","cost_usd":null,"realized_usd":null,"opened_ledger":"0","confidence":"inferred"}'],
  [pairAB, `@${alice}:small`, '{"small":true}'],
  [pairAB, 'loss', '{"hour":"496728"}'],
  [
    pairAB,
    'counters',
    '{"since_seconds":"1","at_seconds":"2","fees_usd":"0.00000003","lp_fees_usd":"0","volume_usd":"4","value_seconds_usd":"123456789012345678901234567890","tvl_usd":"5.1"}',
  ],
  [tokenA, 'asset', '{"decimals":"7","name":"Token A","symbol":"A"}'],
]

const rowOf = (contract: string, key: string, value: string): StateRow => ({
  protocol: 'soroswap',
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

statePage('soroswap', stateTable(soroswap.entries.list))

describe('a stored row of Soroswap', () => {
  it('a stored row of Soroswap is written again byte for byte after it was read, for every entry of the list', () => {
    const written = STORED.map(([contract, key, value]) => {
      const row = rowOf(contract, key, value)
      const read = soroswap.entries.readKey(row)
      return { key: read?.entry.key, value: read?.entry.rewrite(value) }
    })
    expect(written.map(({ value }) => value)).toEqual(STORED.map(([, , value]) => value))
    expect([...new Set(written.map(({ key }) => key))].sort()).toEqual(soroswap.entries.list.map(({ key }) => key).sort())
  })

  it('a stored row of Soroswap that lacks a member, or has one of another kind, stops the load and names the member', () => {
    const load = (contract: string, key: string, value: string) => () => soroswap.adapter(network).load([rowOf(contract, key, value)], 9)
    const unreadable = (member: string) =>
      expect.objectContaining({ code: 'state_unreadable', context: expect.objectContaining({ member }) })
    expect(load(pairAB, `@${alice}:shares`, '{"amount":100}')).toThrow(unreadable('amount'))
    expect(load(pairAB, `balance:${tokenA}`, '{}')).toThrow(unreadable('amount'))
    expect(load(factory, 'factory', '{"fee_to":"GA","fee_to_setter":"GB","total_pairs":"12","fees_enabled":"true"}')).toThrow(
      unreadable('fees_enabled'),
    )
    expect(load(pairAB, 'pair', 'not JSON')).toThrow(unreadable('value'))
    expect(load(pairAB, 'reserves', '{}')).toThrow(unreadable('key'))
  })
})
