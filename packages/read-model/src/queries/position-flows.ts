// The value that entered an account's positions minus the value that left them, in buckets of time or of ledgers.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { type Axis, PLACE, PLACES } from './bucket-params.ts'
import { DecimalText, U32 } from './column-types.ts'

/**
 * What a row's value is as a flow: 1 entered a position, -1 left one, 0 is no flow. Nothing else in this repository knows which activities are
 * flows. The type decides and not `direction`, which is about the account's own tokens: what another account paid into a position, or got out of it, is a
 * flow as well. A repayment enters and a borrowing leaves, because debts count against deposits. A transfer is seen from the other side: what the
 * account sends leaves its positions. Only shares and vaults that are transferred are positions; the debt of a vault goes with it, as `debt_change`,
 * or `raw_debt_change` of an unknown scale. Fixed texts are searched: patterns take
 * longer to plan.
 */
const SIGN = `if(activity_type = 'transfer',
          multiIf(
            position(metadata, 'debt_change":"') > 0, if(position(metadata, 'debt_change":"-') > 0, 1, -1),
            share_amount != 0 OR position(metadata, '"role":"giver"') > 0 OR position(metadata, '"role":"receiver"') > 0, (direction = 'received') - (direction = 'sent'),
            0),
          if(activity_type IN ('deposit', 'repay', 'stake'), 1, -1))`

const FLOWS = `('deposit', 'repay', 'stake', 'withdraw', 'borrow', 'unstake', 'transfer')`

/**
 * One row for each bucket with a flow, at the prices of each ledger: a statement for each axis. `time`: bounds and buckets in unix seconds.
 *
 * At 10 G rows: reads one account between two ledgers of the sort key, or one account where only times bound it. FINAL: without it sums would
 * count a row once for each time that it was written, and the range is one account's. Sums are taken in 76 digits: `sum(Decimal(38, 8))`
 * wraps silently.
 */
export const positionFlows = { time: positionFlowsBy('time'), ledger: positionFlowsBy('ledger') } as const

function positionFlowsBy(axis: Axis) {
  return defineQuery({
    name: axis === 'time' ? 'position_flows' : 'position_flows_by_ledger',
    watermark: 'required',
    params: z.object({
      address: z.string(),
      /** Contracts whose shares are held outside of positions. */
      no_positions: z.array(z.string()),
      ...PLACES,
      watermark: U32,
    }),
    row: z.object({
      start: U32,
      net_flows_usd: DecimalText,
      /** A flow has no price: it is not in the sum. */
      unpriced: z.boolean(),
    }),
    sql: `
    SELECT toUInt32(intDiv(${PLACE[axis]} - {first:Int64}, {width:Int64}) * {width:Int64} + {first:Int64}) AS start,
      toString(sum(toDecimal256(ifNull(usd_value, 0), 8) * (${SIGN} AS sign))) AS net_flows_usd,
      toBool(max(isNull(usd_value))) AS unpriced
    FROM activities_v1 FINAL
    WHERE address = {address:String} AND ledger <= {watermark:UInt32}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
      AND activity_type IN ${FLOWS} AND asset_id != '' AND NOT has({no_positions:Array(String)}, contract)
      AND ${PLACE[axis]} BETWEEN {from:Int64} AND {to:Int64} AND sign != 0
    GROUP BY start`,
  })
}
