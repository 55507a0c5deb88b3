// One page of the actions of an account. Pages end between actions, never inside one.

import { type ActivityRecord, accountActions } from '@orrery/read-model/queries'
import type { IndexedSpan } from '../params/bucket-window.ts'
import type { FeedQuery } from '../params/feed-query.ts'
import type { PageCursor } from '../params/page-cursor.ts'
import type { RouteContext } from '../route.ts'
import { feedWindow } from './feed-window.ts'
import { readRows } from './read-rows.ts'

export interface ActionPage {
  /** The rows of each action, in the order in which they happened; the actions in the order of the page. */
  readonly actions: readonly (readonly ActivityRecord[])[]
  /** Where the next page begins. Null on the last page. */
  readonly next: PageCursor | null
}

/** Place of an action in the order of actions. */
interface ActionKey {
  readonly ledger: number
  readonly txOrder: number
  readonly actionId: string
  readonly protocol: string
}

/** Above every action: `~` is after every letter and digit. Below every action. */
const TOP: ActionKey = { ledger: 4_294_967_295, txOrder: 4_294_967_295, actionId: '~', protocol: '~' }
const BOTTOM: ActionKey = { ledger: 0, txOrder: 0, actionId: '', protocol: '' }

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
  const after = cursor === null ? (order === 'desc' ? TOP : BOTTOM) : readKey(cursor.after)
  const bounds = {
    from_ledger: order === 'asc' ? Math.max(after.ledger, from) : from,
    to_ledger: order === 'desc' ? Math.min(after.ledger, to) : to,
    watermark,
    after_ledger: after.ledger,
    after_tx_order: after.txOrder,
    after_action_id: after.actionId,
    after_protocol: after.protocol,
  }
  const filters = { protocol, contract, tx_hash, types: [...(query.activity_type ?? [])] }
  const rows = await readRows(accountActions[order], { address, ...bounds, ...filters, actions: limit + 1 }, context)
  const found = [...Map.groupBy(rows, (row) => writeKey(row))]
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const next = found.length > limit && last !== undefined ? { after: last[0], watermark: cursor?.watermark ?? watermark } : null
  return { actions: shown.map(([, action]) => action), next }
}

function writeKey({ ledger, tx_order, protocol, action_id }: ActivityRecord): string {
  return [ledger, tx_order, protocol, action_id].join(' ')
}

function readKey(text: string): ActionKey {
  const [ledger = '', txOrder = '', protocol = '', actionId = ''] = text.split(' ')
  return { ledger: Number(ledger), txOrder: Number(txOrder), actionId, protocol }
}
