// An action of an account: all of its legs in one item, as one line of a screen.

import { ACTIVITY_TYPES } from '@orrery/protocol-kit'
import type { ActivityRecord } from '@orrery/read-model/queries'
import { z } from 'zod'
import { difference, sumOf, wholeUnits } from './amount.ts'
import { ProtocolMember } from './protocol-member.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

const UNKNOWN_DECIMALS = 'in units of the token; in its smallest unit if its decimals are unknown'

const ActionAmount = z
  .strictObject({
    asset_id: z.string().describe('Contract of the token.'),
    symbol: z.string().describe('Symbol of the token; "" if unknown.'),
    amount: z.string().describe(`Amount of the token, never negative, ${UNKNOWN_DECIMALS}.`),
    usd_value: z
      .string()
      .nullable()
      .describe("USD value of `amount` at the prices of the action's ledger. Null if the token has no price there."),
  })
  .meta({ id: 'ActionAmount' })

const DebtChange = z
  .strictObject({
    asset_id: z.string().describe('Contract of the token that is owed.'),
    symbol: z.string().describe('Symbol of the token; "" if unknown.'),
    amount: z.string().describe(`What the account owes more; negative if it owes less, ${UNKNOWN_DECIMALS}.`),
    usd_value: z
      .string()
      .nullable()
      .describe("USD value of `amount` at the prices of the action's ledger, with the same sign. Null if the token has no price there."),
  })
  .meta({ id: 'DebtChange' })

/** What an account may be in an action of two sides. */
const ROLES = [
  ...(['liquidated', 'liquidator', 'filler', 'backstop', 'debtor', 'suppliers'] as const),
  ...(['redeemer', 'vault_owner', 'giver', 'receiver'] as const),
] as const

export const Action = z
  .strictObject({
    id: z
      .string()
      .describe('Id of the action: `metadata.action_id` of its activities. Opaque; ids sort in the order in which actions began.'),
    type: z.enum(ACTIVITY_TYPES).describe('Type of the first activity of the account in the action.'),
    types: z.array(z.enum(ACTIVITY_TYPES)).describe('Types of all activities of the account in the action, sorted, each once.'),
    summary: z.string().describe('One English sentence about the action, seen from the account.'),
    timestamp: Timestamp,
    ledger: z.int().describe('Ledger sequence of the transaction.'),
    tx_hash: z.string().describe('Hash of the transaction: 64 lowercase hex characters.'),
    protocol: ProtocolMember,
    contract: z.string().describe('Contract of the pool; of a path over several pools, the first one.'),
    pool_name: z.string().describe('Name of `contract`; "" if unknown.'),
    counterparty: z
      .string()
      .describe(
        'Address of the other side of the first activity: the pool, another account, or a different receiver. "" if there is none.',
      ),
    role: z
      .enum(ROLES)
      .nullable()
      .describe('Role of the account in an action of two sides, such as `liquidator` and `liquidated`. Null if the action has no roles.'),
    sent: z
      .array(ActionAmount)
      .describe('What the account gave: one item for each token, summed over the activities with the direction `sent`.'),
    received: z
      .array(ActionAmount)
      .describe('What the account got: one item for each token, summed over the activities with the direction `received`.'),
    debt_changes: z
      .array(DebtChange)
      .describe(
        'Changes of what the account owes without a token that moved, as in a liquidation: one item for each token. Borrowing and repaying stand in `received` and `sent`.',
      ),
    usd_value: z
      .string()
      .nullable()
      .describe(
        'USD value of `sent`; where the account sent nothing, of `received`. Null if both are empty, or one of the tokens has no price.',
      ),
  })
  .meta({ id: 'Action' })
export type Action = z.input<typeof Action>

/** What an action needs beside its rows. */
export interface ActionWords {
  readonly summary: string
  readonly poolName: string
}

/** @param rows All rows of the account in the action, in the order in which they happened; at least one. */
export function presentAction(rows: readonly ActivityRecord[], { summary, poolName }: ActionWords): Action {
  const [first] = rows as readonly [ActivityRecord, ...ActivityRecord[]]
  const sent = amountsOf(rows.filter(({ direction }) => direction === 'sent'))
  const received = amountsOf(rows.filter(({ direction }) => direction === 'received'))
  const types = new Set(rows.map(({ activity_type }) => activity_type as Action['type']))
  return {
    id: first.action_id,
    type: first.activity_type as Action['type'],
    types: [...types].sort(),
    summary,
    timestamp: timestampOf(first.close_time_seconds),
    ledger: first.ledger,
    tx_hash: first.tx_hash,
    protocol: first.protocol,
    contract: first.contract,
    pool_name: poolName,
    counterparty: first.counterparty,
    role: roleOf(first),
    sent,
    received,
    debt_changes: debtChangesOf(rows),
    usd_value: valueOfAmounts(sent.length > 0 ? sent : received),
  }
}

/** A token of an action whose decimals are unknown. */
export function unknownAmounts(rows: readonly ActivityRecord[]): boolean {
  return rows.some((row) => row.asset_id !== '' && row.asset_decimals === null && (row.direction !== 'none' || debtChangeOf(row) !== null))
}

type Amount = z.input<typeof ActionAmount>

function amountsOf(rows: readonly ActivityRecord[]): Amount[] {
  return byAsset(rows).map((of) => {
    const [first] = of
    const amount = of.reduce((sum, row) => sum + row.amount, 0n)
    return { ...assetOf(first), amount: wholeUnits(amount, first.asset_decimals), usd_value: sumOrNull(of.map((row) => row.usd_value)) }
  })
}

function debtChangesOf(rows: readonly ActivityRecord[]): Amount[] {
  return byAsset(rows.filter((row) => debtChangeOf(row) !== null)).map((of) => {
    const [first] = of
    const changes = of.map((row) => debtChangeOf(row) ?? '0')
    const values = of.map((row, n) => {
      if (row.usd_value === null) return null
      return changes[n]?.startsWith('-') ? difference('0', row.usd_value) : row.usd_value
    })
    return { ...assetOf(first), amount: sumOf(changes), usd_value: sumOrNull(values) }
  })
}

/** Rows with an asset, in the order of its first row. */
function byAsset(rows: readonly ActivityRecord[]): [ActivityRecord, ...ActivityRecord[]][] {
  const groups = Map.groupBy(
    rows.filter(({ asset_id }) => asset_id !== ''),
    ({ asset_id }) => asset_id,
  )
  return [...groups.values()] as [ActivityRecord, ...ActivityRecord[]][]
}

function assetOf({ asset_id, asset_symbol }: ActivityRecord): Pick<Amount, 'asset_id' | 'symbol'> {
  return { asset_id, symbol: asset_symbol }
}

/** Null if there are no values, or one of them is unknown. */
function sumOrNull(values: readonly (string | null)[]): string | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 || known.length < values.length ? null : sumOf(known)
}

function valueOfAmounts(amounts: readonly Amount[]): string | null {
  return sumOrNull(amounts.map(({ usd_value }) => usd_value))
}

function roleOf({ metadata, activity_type }: ActivityRecord): Action['role'] {
  // The role in an administrative event is an office that changes hands, not a side of the action.
  return activity_type === 'admin' ? null : (textMember(metadata, 'role') as Action['role'])
}

function debtChangeOf({ metadata }: ActivityRecord): string | null {
  return textMember(metadata, 'debt_change')
}

/** Most rows have no such member, so the JSON is parsed only where its name occurs. */
function textMember(metadata: string, name: string): string | null {
  if (!metadata.includes(`"${name}"`)) return null
  const value = (JSON.parse(metadata) as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : null
}
