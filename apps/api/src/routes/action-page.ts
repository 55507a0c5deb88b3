// One page of the actions of an account. Pages end between actions, never inside one.

import type { ProtocolId } from '@orrery/protocol-kit'
import { type ActivityRecord, accountActionRows, accountActions, rowsOfActions } from '@orrery/read-model/queries'
import type { IndexedSpan } from '../params/bucket-window.ts'
import type { FeedQuery } from '../params/feed-query.ts'
import type { PageCursor } from '../params/page-cursor.ts'
import type { RouteContext } from '../route.ts'
import { protocolsAsked } from './basis.ts'
import { feedWindow } from './feed-window.ts'
import { readRows } from './read-rows.ts'

export interface ActionPage {
  /** The rows of each action, in the order in which they happened; the actions in the order of the page. */
  readonly actions: readonly (readonly ActivityRecord[])[]
  /** Where the next page begins. Null on the last page. */
  readonly next: PageCursor | null
}

/** Place of an action in the order of actions. */
type ActionPlace = Pick<ActivityRecord, 'ledger' | 'tx_order' | 'action_id' | 'protocol'>

/** Above every action: `~` is after every letter and digit. Below every action. */
const TOP: ActionPlace = { ledger: 4_294_967_295, tx_order: 4_294_967_295, action_id: '~', protocol: '~' }
const BOTTOM: ActionPlace = { ledger: 0, tx_order: 0, action_id: '', protocol: '' }

/** @param cursor Of `next` of the page before; null on the first page. */
export async function readActionPage(
  address: string,
  query: FeedQuery,
  cursor: PageCursor | null,
  indexed: IndexedSpan,
  context: RouteContext,
): Promise<ActionPage> {
  const { from, to, watermark } = await feedWindow(query, cursor?.watermark ?? null, indexed, context)
  const { order, limit, protocol = '', contract = '', tx_hash = '' } = query
  const after = cursor === null ? null : readKey(cursor.after)
  const bounds = {
    from_ledger: order === 'asc' && after !== null ? Math.max(after.ledger, from ?? 0) : from,
    to_ledger: order === 'desc' && after !== null ? Math.min(after.ledger, to) : to,
    watermark,
  }
  const filters = { protocol, contract, tx_hash, types: [...(query.activity_type ?? [])] }
  const isFiltered = protocol + contract + tx_hash !== '' || filters.types.length > 0
  const rows =
    (isFiltered || limit > MOST_AT_ONCE
      ? null
      : await firstRows({ address, order, after, protocols: protocolsAsked(query.protocol, context), ...bounds }, limit + 1, context)) ??
    (await readRows(
      accountActions[order],
      { address, ...bounds, from_ledger: bounds.from_ledger ?? 0, ...startOf(order, after), ...filters, actions: limit + 1 },
      context,
    ))
  const found = [...Map.groupBy(rows, (row) => writeKey(row))]
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const next = found.length > limit && last !== undefined ? { after: last[0], watermark: cursor?.watermark ?? watermark } : null
  return { actions: shown.map(([, action]) => action), next }
}

/** Longer pages, as CSV has them, are read by the statement that reads no rows in vain. */
const MOST_AT_ONCE = 100

/** The parameters of `accountActions` that name the action before the page. */
function startOf(order: FeedQuery['order'], after: ActionPlace | null) {
  const { ledger, tx_order, action_id, protocol } = after ?? (order === 'desc' ? TOP : BOTTOM)
  return { after_ledger: ledger, after_tx_order: tx_order, after_action_id: action_id, after_protocol: protocol }
}

interface Asked {
  readonly address: string
  readonly order: FeedQuery['order']
  /** The action before the page. Null on the first page. */
  readonly after: ActionPlace | null
  /** That the watermark is of. */
  readonly protocols: readonly ProtocolId[]
  readonly from_ledger: number | null
  readonly to_ledger: number
  readonly watermark: number
}

/** What `accountActions` answers without filters; null if the actions have more rows than one statement reads. */
async function firstRows(
  { order, after, protocols, ...bounds }: Asked,
  actions: number,
  context: RouteContext,
): Promise<readonly ActivityRecord[] | null> {
  const most = rowsOfActions(actions)
  const from = { after_ledger: after?.ledger ?? null, after_tx_order: after?.tx_order ?? null }
  const { readModel, keptFeeds, call } = context
  const reading = () => readModel.query(accountActionRows[order], { ...bounds, ...from, rows: most }, call)
  const { address, from_ledger, to_ledger, watermark } = bounds
  const isNewest = order === 'desc' && after === null && to_ledger === watermark && context.format === 'json'
  const question = { address, asked: ['actions', from_ledger, most], protocols, watermark }
  const read = await (isNewest ? keptFeeds.rows(question, context, reading) : reading())
  const last = read.at(-1)
  // The last transaction may have more rows than were read.
  const whole = read.length < most || last === undefined ? read : read.filter((row) => !isOfTransaction(row, last))
  const sign = order === 'desc' ? -1 : 1
  const events = new Set<string>()
  const rows = whole
    .filter((row) => after === null || compareActions(row, after) * sign > 0)
    .sort((a, b) => compareActions(a, b) * sign || compareEvents(a, b))
    // A retry may have written a row again.
    .filter((row) => events.size < events.add(eventOf(row)).size)
  const found = new Set<string>()
  const shown = rows.filter((row) => found.add(writeKey(row)).size <= actions)
  return read.length < most || found.size >= actions ? shown : null
}

const isOfTransaction = (a: ActionPlace, b: ActionPlace): boolean => a.ledger === b.ledger && a.tx_order === b.tx_order

function compareActions(a: ActionPlace, b: ActionPlace): number {
  return a.ledger - b.ledger || a.tx_order - b.tx_order || compareTexts(a.action_id, b.action_id) || compareTexts(a.protocol, b.protocol)
}

const eventOf = (row: ActivityRecord): string => [row.ledger, row.tx_order, row.op_index, row.event_index, row.row].join(' ')

function compareEvents(a: ActivityRecord, b: ActivityRecord): number {
  return a.op_index - b.op_index || a.event_index - b.event_index || a.row - b.row
}

/** As ClickHouse compares texts: they are ASCII. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function writeKey({ ledger, tx_order, protocol, action_id }: ActivityRecord): string {
  return [ledger, tx_order, protocol, action_id].join(' ')
}

function readKey(text: string): ActionPlace {
  const [ledger = '', txOrder = '', protocol = '', actionId = ''] = text.split(' ')
  return { ledger: Number(ledger), tx_order: Number(txOrder), action_id: actionId, protocol }
}
