// The points of the history of an account's net worth.

import type { DecimalText, ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import type { Fill } from '../params/history-query.ts'
import { difference, sumOf } from './amount.ts'
import type { Portfolio } from './portfolio.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

const IN_EMPTY_BUCKET = 'Null only in an empty bucket with `fill=null`.'

/** Points of a build with these protocols. */
export function netWorthPoint(protocols: readonly ProtocolId[]) {
  const net = z.string().nullable().describe(`USD value of deposits minus debts in the protocol. ${IN_EMPTY_BUCKET}`)
  return z
    .strictObject({
      timestamp: Timestamp.describe('Start of the bucket on the time axis; else the close time of the ledger whose value is shown.'),
      ledger: z.int().nonnegative().describe('The newest ledger whose values are shown; in a bucket of ledgers its start.'),
      value_at: Timestamp.describe(
        'Close time of the newest ledger whose values are shown; in an empty bucket of the last ledger closed in or before it.',
      ),
      net_usd: z.string().nullable().describe(`\`deposited_usd\` minus \`borrowed_usd\`. ${IN_EMPTY_BUCKET}`),
      deposited_usd: z
        .string()
        .nullable()
        .describe(`USD value of everything deposited in all protocols. What has no price is left out. ${IN_EMPTY_BUCKET}`),
      borrowed_usd: z
        .string()
        .nullable()
        .describe(`USD value of the debts in all protocols, not negative. What has no price is left out. ${IN_EMPTY_BUCKET}`),
      net_flows_usd: z
        .string()
        .nullable()
        .describe(
          'USD value that entered positions in the bucket minus the value that left them, at the prices of each ledger: deposits, repayments, stakes and received shares minus withdrawals, borrowings, unstakes and sent shares. Swaps, claims and losses by liquidation are no flows. The change of `net_usd` minus this is the gain. Null without buckets, and in an empty bucket with `fill=null`.',
        ),
      by_protocol: z
        .strictObject(Object.fromEntries(protocols.map((id) => [id, net])))
        .describe('Deposits minus debts by the id of the protocol. "0" in a protocol without a position.'),
    })
    .meta({ id: 'NetWorthPoint' })
}
export type NetWorthPoint = z.input<ReturnType<typeof netWorthPoint>>

/** Where a point is on both axes. */
interface At {
  readonly timestamp: string
  readonly ledger: number
  readonly value_at: string
}

export function rawAt(ledger: number, closeTimeSeconds: number): At {
  const at = timestampOf(closeTimeSeconds)
  return { timestamp: at, ledger, value_at: at }
}

export function bucketAt(axis: 'time' | 'ledger', start: number, ledger: number, closeTimeSeconds: number): At {
  const at = timestampOf(closeTimeSeconds)
  return axis === 'time' ? { timestamp: timestampOf(start), ledger, value_at: at } : { timestamp: at, ledger: start, value_at: at }
}

/** Sums over all positions. */
export interface NetWorthValues {
  readonly deposited_usd: DecimalText
  readonly borrowed_usd: DecimalText
  /** Net, of the protocols in which the account has or had something. */
  readonly by_protocol: Readonly<Record<ProtocolId, DecimalText>>
}

/** The values of a portfolio: the net value is its `total_value_usd`. */
export function netWorthOf({ protocols }: z.input<typeof Portfolio>): NetWorthValues {
  return {
    deposited_usd: sumOf(protocols.map((entry) => entry.deposited_usd)),
    borrowed_usd: sumOf(protocols.map((entry) => entry.borrowed_usd)),
    by_protocol: Object.fromEntries(
      protocols.map(({ protocol_id, deposited_usd, borrowed_usd }) => [protocol_id, difference(deposited_usd, borrowed_usd)]),
    ),
  }
}

/** @param flows Null: the point is of no bucket. */
export function valuedPoint(
  at: At,
  { deposited_usd, borrowed_usd, by_protocol }: NetWorthValues,
  flows: DecimalText | null,
  protocols: readonly ProtocolId[],
): NetWorthPoint {
  return {
    ...at,
    net_usd: difference(deposited_usd, borrowed_usd),
    deposited_usd,
    borrowed_usd,
    net_flows_usd: flows,
    by_protocol: Object.fromEntries(protocols.map((id) => [id, by_protocol[id] ?? '0'])),
  }
}

/** A bucket without a snapshot. */
export function emptyNetWorth(
  fill: Extract<Fill, 'null' | 'zero'>,
  at: At,
  flows: DecimalText,
  protocols: readonly ProtocolId[],
): NetWorthPoint {
  const value = fill === 'zero' ? '0' : null
  return {
    ...at,
    net_usd: value,
    deposited_usd: value,
    borrowed_usd: value,
    net_flows_usd: fill === 'zero' ? flows : null,
    by_protocol: Object.fromEntries(protocols.map((id) => [id, value])),
  }
}
