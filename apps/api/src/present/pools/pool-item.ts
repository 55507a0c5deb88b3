// A pool as lists of pools show it: the same members for every kind, so that a table needs one request.

import { CONTRACT_STATUSES, type LpPoolType, type Price } from '@orrery/protocol-kit'
import { z } from 'zod'
import { DECIMALS } from '../amount.ts'
import { ProtocolMember } from '../protocol-member.ts'
import type { PoolMetadata } from './pool-metadata.ts'

export const POOL_TYPES = ['lending', 'constant_product', 'stable', 'concentrated', 'vault', 'staking', 'unknown'] as const
export type PoolType = (typeof POOL_TYPES)[number]

/** Every type of liquidity pool is a type of pool: `LpPoolType` without one of these does not compile. */
export const typeOfLiquidity = (type: LpPoolType): PoolType => type

export const POOL_STATUSES = CONTRACT_STATUSES

const LENDING_ONLY = 'Null for pools that do not lend.'

export const PoolReserve = z
  .strictObject({
    asset_id: z.string().describe('Contract of the token.'),
    symbol: z.string().describe('Symbol of the token; "" if unknown.'),
    supplied: z
      .string()
      .describe(
        'Amount of the token in the pool, in units of the token. AMM: the stored reserve. Blend: the supply with interest to the answer’s ledger, what is lent out included. FxDAO: the collateral, or what is staked.',
      ),
    borrowed: z
      .string()
      .describe('Total debt in the token, in units of the token: "0" in AMMs. FxDAO: the stablecoins owed by all vaults of the currency.'),
    supplied_usd: z.string().nullable().describe('USD value of `supplied`. Null without a price.'),
    borrowed_usd: z.string().nullable().describe('USD value of `borrowed`. Null without a price.'),
    utilization: z.string().nullable().describe(`Borrowed / supplied, a fraction. ${LENDING_ONLY}`),
    supply_apy: z.string().nullable().describe(`Yearly interest of supply with weekly compounding, a fraction. ${LENDING_ONLY}`),
    borrow_apy: z.string().nullable().describe(`Yearly interest of debts with daily compounding, a fraction. ${LENDING_ONLY}`),
    supply_emission_apy: z
      .string()
      .nullable()
      .describe(
        `Yearly emissions to suppliers as a fraction of the supply; "0" without emissions. ${LENDING_ONLY} Also null without a price of the emitted token.`,
      ),
    borrow_emission_apy: z
      .string()
      .nullable()
      .describe(
        `Yearly emissions to borrowers as a fraction of the debt; "0" without emissions. ${LENDING_ONLY} Also null without a price of the emitted token.`,
      ),
  })
  .meta({ id: 'PoolReserve' })
export type PoolReserve = z.input<typeof PoolReserve>

/** The members about lending, for pools that do not lend. */
export const NO_RATES = {
  utilization: null,
  supply_apy: null,
  borrow_apy: null,
  supply_emission_apy: null,
  borrow_emission_apy: null,
} as const satisfies Partial<PoolReserve>

const PoolToken = z
  .strictObject({
    asset_id: z.string().describe('Contract of the token.'),
    symbol: z.string().describe('Symbol of the token; "" if unknown.'),
    decimals: z.int().nullable().describe(DECIMALS),
  })
  .meta({ id: 'PoolToken' })

const AMM_ONLY = 'Null for pools that are not AMMs.'

export const poolMembers = {
  pool_id: z.string().describe('Id of the pool: its contract. Of FxDAO the vaults of one currency, such as `fxdao:USD`.'),
  contract: z.string().describe('Contract of the pool. The vaults of all currencies of FxDAO have one contract.'),
  protocol: ProtocolMember,
  name: z.string().describe('The pool’s own name, or its tokens with kind and fee.'),
  type: z
    .enum(POOL_TYPES)
    .describe('`vault`: debts of FxDAO in one currency. `staking`: locked stakes. `unknown`: an AMM whose pricing of swaps is not known.'),
  tokens: z.array(PoolToken).describe('In the order of the pool. FxDAO: collateral, stablecoin.'),
  tvl_usd: z
    .string()
    .describe(
      'USD value of the pool. Blend: supplied minus borrowed, without the backstop. AMM: all reserves. FxDAO: the collateral, or what is staked. A part without a price counts as 0, and a warning names it.',
    ),
  volume_24h_usd: z
    .string()
    .nullable()
    .describe(
      `USD value of all swaps of the last 24 hours, each by its input at the price of its ledger; every hop of a path counts. Of a pool first seen later: since then. ${AMM_ONLY}`,
    ),
  volume_7d_usd: z.string().nullable().describe(`The same of the last 7 days. ${AMM_ONLY}`),
  fee_apy: z
    .string()
    .nullable()
    .describe(
      `Fees to liquidity providers of the last 7 days over the mean value of the pool in them, a fraction per year with daily compounding. ${AMM_ONLY}`,
    ),
  reward_apy: z
    .string()
    .nullable()
    .describe(
      `Rewards of a holder without a boost at the current rates, a fraction per year without compounding. ${AMM_ONLY} Also null without a price of the reward token. Of Blend see \`reserves\`.`,
    ),
  status: z.enum(POOL_STATUSES).describe('`paused`: deposits or swaps are switched off. `retired`: removed from its router’s list.'),
  created_ledger: z
    .int()
    .nullable()
    .describe('Ledger that created the pool. Null if that was before the index began, and where it is not known.'),
  reserves: z.array(PoolReserve).describe('One for each token, sorted by `asset_id`.'),
}

export const PoolItem = z.strictObject(poolMembers).meta({ id: 'PoolItem' })
export type PoolItem = z.input<typeof PoolItem>

/** A pool and what its answer needs beside the shown members. */
export interface PoolEntry {
  readonly item: PoolItem
  readonly metadata: () => PoolMetadata
  /** The prices that its values are made of. */
  readonly prices: readonly Price[]
  /** A part of `tvl_usd` has no price. */
  readonly isUnpriced: boolean
  /** The decimals of a token are unknown, so amounts are in its smallest unit. */
  readonly hasUnknownDecimals: boolean
}

/** With the ledger that made the pool. */
export function createdAt(entry: PoolEntry, created: ReadonlyMap<string, number>): PoolEntry {
  return { ...entry, item: { ...entry.item, created_ledger: created.get(entry.item.pool_id) ?? null } }
}
