// `metadata` of activities of Aquarius, by type. Those of administration are in `aquarius-admin.ts`.

import { z } from 'zod'
import { AQUARIUS_ADMIN } from './aquarius-admin.ts'
import { attribution, EVENT, eventMembers, PATH } from './common.ts'

const router = z.string().optional().describe('Router that was called. Absent if the pool was called directly.')
const range = {
  tick_lower: z.int().optional().describe('Lower tick of the range. Absent unless the pool is concentrated.'),
  tick_upper: z.int().optional().describe('Upper tick of the range. Absent unless the pool is concentrated.'),
}
const holder = attribution(['router_caller', 'authorizer', 'transaction_source'])

const Deposit = z
  .strictObject({ ...eventMembers(['deposit_liquidity'], EVENT), ...range, router, attribution: holder })
  .meta({ id: 'AquariusDepositMetadata' })

const Withdraw = z
  .strictObject({ ...eventMembers(['withdraw_liquidity'], EVENT), ...range, router, attribution: holder })
  .meta({ id: 'AquariusWithdrawMetadata' })

const Burn = z
  .strictObject({
    ...eventMembers(['burn'], EVENT),
    reason: z.literal('burnt').optional().describe('The holder burnt the shares and got nothing for them. Absent where the pool paid.'),
    attribution: attribution(['transfers']),
  })
  .meta({ id: 'AquariusBurnMetadata' })

const Swap = z
  .strictObject({
    ...eventMembers(['trade'], EVENT),
    ...PATH,
    path: z.array(z.string()).optional().describe('Tokens of the path, in its order, one more than pools. Absent for a swap in one pool.'),
    provider: z.string().optional().describe('Contract that called the router for the account and took a fee. Absent if there was none.'),
    raw_kept_by_pool: z
      .string()
      .optional()
      .describe(
        'What of the input the pool kept without swapping it, as an integer in the smallest unit: a concentrated pool ran out of liquidity. Absent otherwise.',
      ),
    attribution: attribution(['pass_through']),
  })
  .meta({ id: 'AquariusSwapMetadata' })

const Claim = z
  .strictObject({
    ...eventMembers(['claim_reward', 'rewards_gauge_claim', 'claim_fees', 'claim', 'claim_protocol_fee'], EVENT),
    router,
    reason: z
      .literal('protocol_fee')
      .optional()
      .describe("The protocol's part of the fees was paid to its destination. Absent for other claims."),
  })
  .meta({ id: 'AquariusClaimMetadata' })

const Transfer = z.strictObject(eventMembers(['transfer'], EVENT)).meta({ id: 'AquariusTransferMetadata' })

export const AQUARIUS = {
  deposit: [Deposit],
  withdraw: [Withdraw, Burn],
  swap: [Swap],
  claim: [Claim],
  transfer: [Transfer],
  admin: AQUARIUS_ADMIN,
}
