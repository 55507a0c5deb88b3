// State entries as they are stored: the bytes of every kind of row, written out by hand, and the page that lists them.

import { stateTable } from '@orrery/fold-kit'
import type { StateRow } from '@orrery/protocol-kit'
import { statePage } from '@orrery/testkit/state-page'
import { describe, expect, it } from 'vitest'
import { fxdao } from '../src/protocol.ts'
import { alice, locking, network, usdx, vaults, xlm } from './fold-fixture.ts'

/** Rows as adapter version 3 has stored them from the beginning. A change of a byte here is a change of stored rows. */
const STORED: readonly (readonly [contract: string, key: string, value: string])[] = [
  [
    vaults,
    'core',
    '{"admin":"GA","collateral":"CX","fee":"50000","oracle":"CO","panic":false,"manager":"GM","stable_issuer":"GI","treasury":"GT"}',
  ],
  [vaults, 'currency:USD', '{"active":true,"coin":"CU"}'],
  [
    vaults,
    'totals:USD',
    '{"lowest_account":"GA","lowest_index":"11500000000","minimum_ratio":"11000000","minimum_debt":"1","opening_ratio":"11500000","collateral":"1000","debt":"500","vaults":"1"}',
  ],
  [
    vaults,
    'totals:EUR',
    '{"lowest_account":null,"lowest_index":null,"minimum_ratio":"0","minimum_debt":"0","opening_ratio":"0","collateral":"0","debt":"0","vaults":"0"}',
  ],
  [vaults, `@${alice}:vault:USD`, '{"index":"2000000000","next_account":"GB","next_index":"3000000000","collateral":"1000","debt":"500"}'],
  [
    vaults,
    `@${alice}:vault:USD`,
    '{"index":"340282366920938463463374607431768211455","next_account":null,"next_index":null,"collateral":"0","debt":"0"}',
  ],
  [
    vaults,
    `@${alice}:collateral_cost:USD`,
    '{"units":"1000","cost_usd":"1.5","realized_usd":"-0.00000001","opened_ledger":"7","confidence":"exact"}',
  ],
  [vaults, `@${alice}:debt_cost:USD`, '{"units":"500","cost_usd":null,"realized_usd":null,"opened_ledger":"0","confidence":"inferred"}'],
  [vaults, `@${alice}:small:USD`, '{"small":true}'],
  [vaults, `balance:${xlm}`, '{"amount":"1000"}'],
  [locking, `balance:${usdx}`, '{"amount":"0"}'],
  [locking, 'rewards_asset', '{"address":"CR"}'],
  [
    locking,
    `pool:${usdx}`,
    '{"active":true,"balance":"10","deposits":"1","factor":"500000","lock_seconds":"604800","minimum_deposit":"1"}',
  ],
  [locking, `@${alice}:deposit:${usdx}`, '{"amount":"10","snapshot":"0","unlocks_at":"1788825600"}'],
  [locking, `@${alice}:cost:${usdx}`, '{"units":"10","cost_usd":"10","realized_usd":"0","opened_ledger":"3","confidence":"exact"}'],
  [locking, `@${alice}:small`, '{"small":true}'],
  [xlm, 'asset', '{"decimals":"7","name":"native","symbol":"native"}'],
]

const rowOf = (contract: string, key: string, value: string): StateRow => ({
  protocol: 'fxdao',
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

statePage('fxdao', stateTable(fxdao.entries.list))

describe('a stored row of FxDAO', () => {
  it('a stored row of FxDAO is written again byte for byte after it was read, for every entry of the list', () => {
    const written = STORED.map(([contract, key, value]) => {
      const read = fxdao.entries.readKey(rowOf(contract, key, value))
      return { key: read?.entry.key, value: read?.entry.rewrite(value) }
    })
    expect(written.map(({ value }) => value)).toEqual(STORED.map(([, , value]) => value))
    expect([...new Set(written.map(({ key }) => key))].sort()).toEqual(fxdao.entries.list.map(({ key }) => key).sort())
  })

  it('a stored row of FxDAO that lacks a member, or is stored under a contract that has no such entry, stops the load', () => {
    const load = (contract: string, key: string, value: string) => () => fxdao.adapter(network).load([rowOf(contract, key, value)], 9)
    const unreadable = (member: string) =>
      expect.objectContaining({ code: 'state_unreadable', context: expect.objectContaining({ member }) })
    expect(load(vaults, `@${alice}:vault:USD`, '{"index":"1","next_account":null,"next_index":null,"collateral":"0"}')).toThrow(
      unreadable('debt'),
    )
    expect(load(locking, `@${alice}:vault:USD`, '{}')).toThrow(unreadable('key'))
    expect(load(vaults, `@${alice}:deposit:${usdx}`, '{}')).toThrow(unreadable('key'))
    expect(load(vaults, 'index', '{}')).toThrow(unreadable('key'))
  })
})
