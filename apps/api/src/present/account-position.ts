// A position of an account in a pool, as a list of a protocol's positions shows it.

import { poolOfCurrency } from '@orrery/fxdao'
import { z } from 'zod'
import type { PoolEntry } from './pool-entry.ts'
import type { ProtocolEntry } from './portfolio.ts'

export const AccountPosition = z
  .strictObject({
    address: z.string().describe('The account (`G...`) or contract (`C...`) that holds the position.'),
    pool_id: z
      .string()
      .describe('Identifier of the pool in `/v1/pools`: its contract; of FxDAO the vaults of one currency, such as `fxdao:USD`.'),
    deposited_usd: z
      .string()
      .describe('USD value of everything deposited in the pool, the backstop included. Items without a price are left out.'),
    borrowed_usd: z.string().describe('USD value of the debts, not negative. Items without a price are left out.'),
    net_usd: z.string().describe('`deposited_usd` minus `borrowed_usd`.'),
    health_factor: z
      .string()
      .nullable()
      .describe('Liquidation is possible below 1. Null without debt, and if an asset of the position has no price.'),
    borrow_limit_pct: z
      .string()
      .nullable()
      .describe('Used part of what may be owed, in percent: 100 / health factor. "0" without debt. Null if it is unknown.'),
  })
  .meta({ id: 'AccountPosition' })

export function presentAccountPosition(address: string, pool: PoolEntry): z.input<typeof AccountPosition> {
  const { pool_id, deposited_usd, borrowed_usd, net_usd, health_factor, borrow_limit_pct } = pool
  return { address, pool_id, deposited_usd, borrowed_usd, net_usd, health_factor, borrow_limit_pct }
}

/** Whether an item of the pool has no price, so that the sums lack it. */
export function lacksValue({ positions }: ProtocolEntry, pool: string): boolean {
  return Object.values(positions)
    .flat()
    .some(({ usd_value, contract, metadata }) => {
      const of = metadata.kind === 'vault' ? poolOfCurrency(metadata.currency) : contract
      return usd_value === null && of === pool
    })
}
