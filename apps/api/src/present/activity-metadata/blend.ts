// `metadata` of activities of Blend, by type. Those about auctions are in `blend-auctions.ts`, of administration in `blend-admin.ts`.

import { z } from 'zod'
import { BLEND_ADMIN } from './blend-admin.ts'
import { BLEND_AUCTIONS, BLEND_LIQUIDATION } from './blend-auctions.ts'
import { DEPLOYMENT, rawBlnd, rawLpTokens } from './blend-members.ts'
import { DEBT_CHANGE, EVENT, eventMembers } from './common.ts'

const payer = z.string().optional().describe('Account that paid the tokens. Absent if `address` paid them.')
const receiver = z.string().optional().describe('Account or contract that received the tokens. Absent if `address` received them.')

const Deposit = z
  .strictObject({ ...eventMembers(['supply', 'supply_collateral', 'join_pool', 'deposit'], EVENT), ...DEPLOYMENT, payer })
  .meta({ id: 'BlendDepositMetadata', description: '`join_pool` and `deposit`: into the Comet pool of BLND and USDC.' })

const Withdraw = z
  .strictObject({ ...eventMembers(['withdraw', 'withdraw_collateral', 'exit_pool'], EVENT), ...DEPLOYMENT, receiver })
  .meta({
    id: 'BlendWithdrawMetadata',
    description: '`exit_pool`: from the Comet pool of BLND and USDC; `withdraw` there if `share_type` is `lp_share`.',
  })

const Borrow = z
  .strictObject({ ...eventMembers(['borrow', 'flash_loan'], EVENT), ...DEPLOYMENT, receiver })
  .meta({ id: 'BlendBorrowMetadata' })

const Repay = z.strictObject({ ...eventMembers(['repay'], EVENT), ...DEPLOYMENT, payer }).meta({ id: 'BlendRepayMetadata' })

const Swap = z
  .strictObject({ ...eventMembers(['swap'], EVENT), ...DEPLOYMENT })
  .meta({ id: 'BlendSwapMetadata', description: 'A swap in the Comet pool of BLND and USDC.' })

const Transfer = z
  .strictObject({ ...eventMembers(['transfer'], EVENT), ...DEPLOYMENT })
  .meta({ id: 'BlendTransferMetadata', description: 'A transfer of LP tokens of the Comet pool.' })

const PoolClaim = z
  .strictObject({
    ...eventMembers(['claim'], EVENT),
    ...DEPLOYMENT,
    reserve_token_ids: z
      .array(z.int())
      .describe('What the rewards were earned with: 2 · index of the reserve for its debts, 2 · index + 1 for its supply.'),
    receiver,
  })
  .meta({ id: 'BlendPoolClaimMetadata', description: 'A claim of the emissions of a lending pool.' })

const BackstopClaim = z
  .strictObject({
    ...eventMembers(['claim'], EVENT),
    ...DEPLOYMENT,
    blnd_amount: rawBlnd('BLND that bought the LP tokens').optional(),
    lp_tokens: rawLpTokens('LP tokens that were deposited again'),
    pools: z.array(z.string()).describe('Pools into whose backstop they were deposited.'),
  })
  .meta({ id: 'BlendBackstopClaimMetadata', description: 'A claim of the emissions of a backstop, which deposits them again at once.' })

const backstop = z.string().describe('Contract of the backstop.')

const Stake = z
  .strictObject({
    ...eventMembers(['deposit'], EVENT),
    ...DEPLOYMENT,
    backstop,
    reason: z.literal('auto_compound').optional().describe('A claim made the deposit. Absent for other deposits.'),
    claimed_by: z.string().optional().describe('Account that claimed for `address`. Absent if `address` claimed.'),
  })
  .meta({ id: 'BlendStakeMetadata' })

const UnstakeRequest = z
  .strictObject({
    ...eventMembers(['queue_withdrawal'], EVENT),
    ...DEPLOYMENT,
    backstop,
    unlocks_at: z.string().meta({ format: 'date-time' }).describe('Time from which the shares can be withdrawn: RFC 3339, UTC.'),
  })
  .meta({ id: 'BlendUnstakeRequestMetadata' })

const UnstakeCancel = z
  .strictObject({ ...eventMembers(['dequeue_withdrawal'], EVENT), ...DEPLOYMENT, backstop })
  .meta({ id: 'BlendUnstakeCancelMetadata' })

const Unstake = z.strictObject({ ...eventMembers(['withdraw'], EVENT), ...DEPLOYMENT, backstop }).meta({ id: 'BlendUnstakeMetadata' })

const BadDebt = z
  .strictObject({
    ...eventMembers(['bad_debt', 'defaulted_debt'], EVENT),
    ...DEPLOYMENT,
    reason: z
      .literal('defaulted')
      .optional()
      .describe('The backstop had too little left: the suppliers bear the loss. Absent where the debt moves to the backstop.'),
    role: z
      .enum(['debtor', 'backstop', 'suppliers'])
      .describe('What `address` is. `suppliers`: the pool, for all accounts that supply the asset.'),
    ...DEBT_CHANGE,
  })
  .meta({ id: 'BlendBadDebtMetadata' })

const Emission = z
  .strictObject({
    ...eventMembers(['update_emissions', 'gulp_emissions', 'gulp', 'distribute'], EVENT),
    ...DEPLOYMENT,
    pool_amount: rawBlnd('Part of the amount for suppliers and borrowers of the pool').optional(),
    backstop_amount: rawBlnd("Part of the amount for depositors of the pool's backstop").optional(),
  })
  .meta({
    id: 'BlendEmissionMetadata',
    description: '`pool_amount` and `backstop_amount` are absent where the event does not have them.',
  })

const EmissionRate = z
  .strictObject({
    ...eventMembers(['reserve_emission_update'], EVENT),
    ...DEPLOYMENT,
    reserve_token_id: z.int().describe('2 · index of the reserve for its debts, 2 · index + 1 for its supply.'),
    eps: z.string().describe('BLND for each second, as an integer: with 7 decimals in `v1`, with 14 in `v2`.'),
    expires_at_seconds: z.string().describe('End of the emissions, as an integer: Unix seconds.'),
  })
  .meta({ id: 'BlendEmissionRateMetadata' })

const RewardZone = z
  .strictObject({
    ...eventMembers(['rw_zone', 'rw_zone_add', 'rw_zone_remove'], EVENT),
    ...DEPLOYMENT,
    added: z.string().nullable().describe('Pool that gets emissions from now on. Null if none was added.'),
    removed: z.string().nullable().describe('Pool that gets none any more. Null if none was removed.'),
  })
  .meta({ id: 'BlendRewardZoneMetadata' })

export const BLEND = {
  deposit: [Deposit],
  withdraw: [Withdraw],
  borrow: [Borrow],
  repay: [Repay],
  swap: [Swap],
  transfer: [Transfer],
  claim: [PoolClaim, BackstopClaim],
  stake: [Stake],
  unstake_request: [UnstakeRequest],
  unstake_cancel: [UnstakeCancel],
  unstake: [Unstake],
  liquidation: [BLEND_LIQUIDATION],
  auction: BLEND_AUCTIONS,
  bad_debt: [BadDebt],
  emission: [Emission, EmissionRate, RewardZone],
  admin: BLEND_ADMIN,
}
