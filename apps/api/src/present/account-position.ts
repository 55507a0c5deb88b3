// A position of an account in a pool, as a list of a protocol's positions shows it.

import { poolOfCurrency } from '@orrery/fxdao'
import { z } from 'zod'
import { PoolEntry } from './pool-entry.ts'
import type { ProtocolEntry } from './portfolio.ts'

/** The members that it shares with a pool of the portfolio. */
const SHARED = {
  pool_id: true,
  deposited_usd: true,
  borrowed_usd: true,
  net_usd: true,
  health_factor: true,
  borrow_limit_pct: true,
} as const

export const AccountPosition = z
  .strictObject({
    address: z.string().describe('The account (`G...`) or contract (`C...`) that holds the position.'),
    ...PoolEntry.pick(SHARED).shape,
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
