// `metadata` of liquidations and auctions of Blend.

import { z } from 'zod'
import { DEPLOYMENT } from './blend-members.ts'
import { DEBT_CHANGE, EVENT, eventMembers } from './common.ts'

const KINDS = ['user_liquidation', 'bad_debt', 'interest'] as const
const kind = <const Kinds extends readonly [string, ...string[]]>(kinds: Kinds) => z.enum(kinds).describe('What is auctioned.')

/** Amounts by asset. */
const raw = (text: string) => z.record(z.string(), z.string()).describe(`${text} Integers in the smallest unit, by contract of the asset.`)
const bid = raw('What the filler takes over or pays. Liquidation and bad debt: dTokens. Interest: LP tokens of the backstop.')
const lot = raw('What the filler receives. Liquidation: bTokens. Bad debt: LP tokens of the backstop. Interest: the asset.')

const filled = {
  percent: z.int().describe('Part of what was left of the auction that was filled, in percent: 1 to 100.'),
  user: z.string().describe('The liquidated account, or the backstop.'),
  filler: z.string().describe('Account that filled the auction.'),
  bid,
  lot,
}

export const BLEND_LIQUIDATION = z
  .strictObject({
    ...eventMembers(['fill_auction'], EVENT),
    ...DEPLOYMENT,
    auction_type: kind(['user_liquidation']),
    ...filled,
    role: z.enum(['liquidated', 'liquidator']).describe('What `address` is in the liquidation.'),
    ...DEBT_CHANGE,
  })
  .meta({ id: 'BlendLiquidationMetadata' })

const Fill = z
  .strictObject({
    ...eventMembers(['fill_auction'], EVENT),
    ...DEPLOYMENT,
    auction_type: kind(['bad_debt', 'interest']),
    ...filled,
    role: z.enum(['filler', 'backstop']).describe('What `address` is in the auction.'),
    ...DEBT_CHANGE,
  })
  .meta({ id: 'BlendAuctionFillMetadata' })

const Created = z
  .strictObject({
    ...eventMembers(['new_auction', 'new_liquidation_auction'], EVENT),
    ...DEPLOYMENT,
    reason: z.literal('created').describe('The auction was created.'),
    auction_type: kind(KINDS),
    percent: z
      .int()
      .optional()
      .describe("Part of the account's positions that is auctioned, in percent. Absent where the event does not have it (`v1`)."),
    bid: bid.describe(`${bid.description} Of the whole auction, unscaled.`),
    lot: lot.describe(`${lot.description} Of the whole auction, unscaled.`),
    block: z
      .int()
      .describe('First ledger of the auction. In the next 200 ledgers the lot grows from none to all, then the bid falls to none.'),
  })
  .meta({ id: 'BlendAuctionCreatedMetadata' })

const Cancelled = z
  .strictObject({
    ...eventMembers(['delete_auction', 'delete_liquidation_auction'], EVENT),
    ...DEPLOYMENT,
    reason: z.literal('cancelled').describe('The auction was cancelled.'),
    auction_type: kind(KINDS),
  })
  .meta({ id: 'BlendAuctionCancelledMetadata' })

const Fund = z
  .strictObject({
    ...eventMembers(['draw', 'donate'], EVENT),
    ...DEPLOYMENT,
    backstop: z.string().describe('Contract of the backstop.'),
  })
  .meta({ id: 'BlendBackstopFundMetadata', description: 'LP tokens that leave a backstop, or are given to it, outside of an auction.' })

export const BLEND_AUCTIONS = [Created, Fill, Cancelled, Fund]
