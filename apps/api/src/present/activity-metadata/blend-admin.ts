// `metadata` of the administration of Blend.

import { z } from 'zod'
import { DEPLOYMENT } from './blend-members.ts'
import { attribution, CALL, EVENT, eventMembers } from './common.ts'

const caller = { attribution: attribution(['authorizer', 'transaction_source']) }

const PoolAdmin = z
  .strictObject({
    ...eventMembers(['set_admin'], EVENT),
    ...DEPLOYMENT,
    new_admin: z.string().describe('Admin of the pool from now on.'),
  })
  .meta({ id: 'BlendPoolAdminMetadata' })

const ProposedAdmin = z
  .strictObject({
    ...eventMembers(['propose_admin'], CALL),
    ...DEPLOYMENT,
    new_admin: z.string().optional().describe('Proposed admin. Absent if the call cannot be read.'),
    ...caller,
  })
  .meta({ id: 'BlendProposedAdminMetadata' })

const PoolLimits = z
  .strictObject({
    ...eventMembers(['update_pool'], EVENT),
    ...DEPLOYMENT,
    backstop_take_rate: z.int().describe('Part of the interest that goes to the backstop: 10,000,000 is all of it.'),
    max_positions: z.int().describe('Most assets that one account may have as collateral or debt.'),
    min_collateral: z
      .string()
      .optional()
      .describe('Least collateral of a borrower, as an integer with the decimals of the oracle. Absent in `v1`.'),
  })
  .meta({ id: 'BlendPoolLimitsMetadata' })

const QueuedReserve = z
  .strictObject({
    ...eventMembers(['queue_set_reserve', 'cancel_set_reserve'], EVENT),
    ...DEPLOYMENT,
    asset: z.string().describe('Contract of the token whose settings are queued, or no longer queued.'),
  })
  .meta({ id: 'BlendQueuedReserveMetadata' })

const NewReserve = z
  .strictObject({
    ...eventMembers(['set_reserve'], EVENT),
    ...DEPLOYMENT,
    asset: z.string().describe('Contract of the token.'),
    reserve_index: z.int().describe('Index of the reserve in the pool, from 0.'),
    ...caller,
  })
  .meta({ id: 'BlendReserveSettingsMetadata' })

const PoolStatus = z
  .strictObject({
    ...eventMembers(['set_status'], EVENT),
    ...DEPLOYMENT,
    status: z
      .int()
      .describe('Status of the pool: 0 and 1 active, 2 and 3 on ice, 4 and 5 frozen, 6 setup. Even ones were set by the admin.'),
    ...caller,
  })
  .meta({ id: 'BlendPoolStatusMetadata' })

const NewPool = z
  .strictObject({
    ...eventMembers(['deploy'], EVENT),
    ...DEPLOYMENT,
    pool: z.string().describe('Contract of the new pool.'),
    attribution: attribution(['call', 'authorizer', 'transaction_source']),
  })
  .meta({ id: 'BlendNewPoolMetadata' })

const EmitterSwap = z
  .strictObject({
    ...eventMembers(['q_swap', 'del_swap', 'swap'], EVENT),
    ...DEPLOYMENT,
    new_backstop: z.string().describe('Backstop that gets the emissions after the switch.'),
    new_backstop_token: z.string().describe('Contract of its LP token.'),
    unlocks_at_seconds: z.string().describe('Time from which the switch can be made, as an integer: Unix seconds.'),
    ...caller,
  })
  .meta({ id: 'BlendEmitterSwapMetadata', description: 'The switch of emissions to another backstop: queued, cancelled, made.' })

const Drop = z
  .strictObject({ ...eventMembers(['drop'], EVENT), ...DEPLOYMENT, ...caller })
  .meta({ id: 'BlendDropMetadata', description: 'BLND that is paid to the accounts of the list of a new backstop.' })

const EmissionsConfig = z
  .strictObject({ ...eventMembers(['set_emissions_config'], CALL), ...DEPLOYMENT, ...caller })
  .meta({ id: 'BlendEmissionsConfigMetadata' })

export const BLEND_ADMIN = [
  PoolAdmin,
  ProposedAdmin,
  PoolLimits,
  QueuedReserve,
  NewReserve,
  PoolStatus,
  NewPool,
  EmitterSwap,
  Drop,
  EmissionsConfig,
]
