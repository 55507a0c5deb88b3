// `metadata` of activities of FxDAO, by type. The contracts emit no events: `event` is the function that was called.

import { z } from 'zod'
import { attribution, CALL, DEBT_CHANGE, eventMembers } from './common.ts'

const vault = {
  currency: z.string().describe('Currency of the vault, such as `USD`.'),
  raw_fee: z
    .string()
    .optional()
    .describe('Fee of the whole call to the treasury, as an integer in the smallest unit of the collateral. Absent if there was none.'),
  attribution: attribution(['calls', 'transfers']),
}
const closed = z.literal(true).optional().describe('The whole debt was repaid and the vault is closed. Absent otherwise.')

const Deposit = z
  .strictObject({ ...eventMembers(['new_vault', 'increase_collateral'], CALL), ...vault })
  .meta({ id: 'FxdaoDepositMetadata' })

const Withdraw = z
  .strictObject({ ...eventMembers(['withdraw_collateral', 'pay_debt'], CALL), ...vault, closed })
  .meta({ id: 'FxdaoWithdrawMetadata' })

const Borrow = z.strictObject({ ...eventMembers(['new_vault', 'increase_debt'], CALL), ...vault }).meta({ id: 'FxdaoBorrowMetadata' })

const Repay = z.strictObject({ ...eventMembers(['pay_debt'], CALL), ...vault, closed }).meta({ id: 'FxdaoRepayMetadata' })

const Redemption = z
  .strictObject({
    ...eventMembers(['redeem'], CALL),
    ...vault,
    role: z.enum(['redeemer', 'vault_owner']).describe('What `address` is in the redemption.'),
    ...DEBT_CHANGE,
  })
  .meta({ id: 'FxdaoRedemptionMetadata' })

const Liquidation = z
  .strictObject({
    ...eventMembers(['liquidate', 'evict'], CALL),
    ...vault,
    role: z.enum(['liquidator', 'liquidated']).describe('What `address` is in the liquidation.'),
    reason: z.literal('evicted').optional().describe('The vault was removed and its debt was not paid. Absent otherwise.'),
    vault_owners: z
      .array(z.string())
      .optional()
      .describe('Owners of the liquidated vaults, in the order of their liquidation. Absent unless a liquidator took several.'),
    ...DEBT_CHANGE,
  })
  .meta({ id: 'FxdaoLiquidationMetadata' })

const Transfer = z
  .strictObject({
    ...eventMembers(['transfer_debt'], CALL),
    ...vault,
    role: z.enum(['giver', 'receiver']).describe('Whether `address` gave the vault with its debt, or received it.'),
    ...DEBT_CHANGE,
  })
  .meta({ id: 'FxdaoTransferMetadata' })

const staking = { attribution: attribution(['transfers']) }

const Stake = z.strictObject({ ...eventMembers(['deposit'], CALL), ...staking }).meta({ id: 'FxdaoStakeMetadata' })
const Unstake = z
  .strictObject({ ...eventMembers(['withdraw'], CALL), ...staking })
  .meta({ id: 'FxdaoUnstakeMetadata', description: 'Of the returned stake, and of the rewards that are paid with it.' })
const Emission = z
  .strictObject({
    ...eventMembers(['distribute'], CALL),
    staked_asset: z.string().describe('Contract of the staked token whose holders get the rewards.'),
    ...staking,
  })
  .meta({ id: 'FxdaoEmissionMetadata' })

const Admin = z
  .strictObject(
    eventMembers(
      [
        ...(['init', 'set_address', 'set_fee', 'upgrade', 'set_panic', 'set_lowest_key', 'set_next_key'] as const),
        ...(['create_currency', 'toggle_currency', 'set_vault_conditions'] as const),
        ...(['set_admin', 'set_manager', 'set_pool', 'toggle_pool', 'remove_pool', 'clone_pool', 'migrate_deposits'] as const),
      ],
      CALL,
    ),
  )
  .meta({ id: 'FxdaoAdminMetadata' })

export const FXDAO = {
  deposit: [Deposit],
  withdraw: [Withdraw],
  borrow: [Borrow],
  repay: [Repay],
  redemption: [Redemption],
  liquidation: [Liquidation],
  transfer: [Transfer],
  stake: [Stake],
  unstake: [Unstake],
  claim: [Unstake],
  emission: [Emission],
  admin: [Admin],
}
