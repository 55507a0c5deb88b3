// `metadata` of activities of Soroswap, by type.

import { z } from 'zod'
import { attribution, EVENT, eventMembers, PATH } from './common.ts'

const router = z.string().optional().describe('Router that was called. Absent if the pair was called directly.')

const Deposit = z
  .strictObject({
    ...eventMembers(['SoroswapPair/deposit'], EVENT),
    router,
    payer: z.string().optional().describe('Account that paid the tokens. Absent if `address` paid them.'),
  })
  .meta({ id: 'SoroswapDepositMetadata' })

const Withdraw = z
  .strictObject({
    ...eventMembers(['SoroswapPair/withdraw'], EVENT),
    router,
    attribution: attribution(['share_sender']),
    shares_from: z
      .string()
      .optional()
      .describe('The pair, if shares were burnt that it had received in an earlier operation or from another account. Absent otherwise.'),
    raw_shares_from_pair: z
      .string()
      .optional()
      .describe(
        'Number of these shares, as an integer in their smallest unit. They are not in `share_amount`: the rows of their transfers to the pair have them.',
      ),
  })
  .meta({ id: 'SoroswapWithdrawMetadata' })

const Burn = z
  .strictObject({
    ...eventMembers(['burn'], EVENT),
    reason: z.literal('burnt').describe('The holder burnt the shares and got nothing for them.'),
  })
  .meta({ id: 'SoroswapBurnMetadata' })

const Swap = z
  .strictObject({
    ...eventMembers(['SoroswapPair/swap'], EVENT),
    ...PATH,
    path: z
      .array(z.string())
      .optional()
      .describe('Tokens of the path, in its order, one more than pools. Absent for a swap in one pool, and where no router names them.'),
    attribution: attribution(['payer', 'pass_through']),
  })
  .meta({ id: 'SoroswapSwapMetadata' })

const Skim = z
  .strictObject({ ...eventMembers(['SoroswapPair/skim'], EVENT), attribution: attribution(['receiver', 'transaction_source']) })
  .meta({ id: 'SoroswapSkimMetadata' })

const Transfer = z.strictObject(eventMembers(['transfer'], EVENT)).meta({ id: 'SoroswapTransferMetadata' })

const Emission = z
  .strictObject({
    ...eventMembers(['mint'], EVENT),
    reason: z.literal('protocol_fee').describe('Shares that the pair minted as its protocol fee.'),
  })
  .meta({ id: 'SoroswapEmissionMetadata' })

const Setter = z
  .strictObject({
    ...eventMembers(['SoroswapFactory/fee_to', 'SoroswapFactory/setter'], EVENT),
    old: z.string().describe('Address before.'),
    new: z.string().describe('Address after.'),
  })
  .meta({ id: 'SoroswapAddressChangeMetadata' })

const Fees = z
  .strictObject({
    ...eventMembers(['SoroswapFactory/fees'], EVENT),
    fees_enabled: z.boolean().describe('Whether the protocol fee is charged from now on.'),
    attribution: attribution(['authorizer', 'transaction_source']),
  })
  .meta({ id: 'SoroswapFeeSwitchMetadata' })

export const SOROSWAP = {
  deposit: [Deposit],
  withdraw: [Withdraw, Burn],
  swap: [Swap],
  transfer: [Transfer, Skim],
  emission: [Emission],
  admin: [Setter, Fees],
}
