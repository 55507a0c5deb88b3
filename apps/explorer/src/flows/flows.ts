// The movements of assets in a transaction, from one account or contract to another, in the order in which they happened.

import type { Activity } from '@orrery/client'

export interface Flow {
  /** Account (`G…`) or contract (`C…`) that gave the asset. */
  readonly from: string
  readonly to: string
  readonly assetId: string
  readonly symbol: string
  /** What left `from`, in units of the token. */
  readonly amount: string
  /** What came to `to`, where that is another amount, as after a fee; else null. */
  readonly received: string | null
  /** Name that the contract gave the event; "" where it has none. */
  readonly event: string
}

/** The members of `metadata` that say who moved an asset. Which of them are there depends on the protocol and the type. */
interface Parties {
  readonly action_id?: string
  readonly event?: string
  readonly payer?: string
  readonly receiver?: string
  /** Pools and tokens of a path, and the step that the row is of, from 1. */
  readonly pools?: readonly string[]
  readonly path?: readonly string[]
  readonly path_step?: number
  /** Only a debt changed: nothing moved. */
  readonly debt_change?: string
}

/** Rows of debts, settings and shares are no movements and are left out. */
export function flowsOf(activities: readonly Activity[]): Flow[] {
  const flows: (Flow & { readonly action: string | undefined; isMatched: boolean; readonly direction: string })[] = []
  for (const activity of activities) {
    const parties = activity.metadata as Parties
    const ends = endsOf(activity, parties)
    if (ends === null) continue
    const { asset_id: assetId, asset_symbol: symbol, amount, direction } = activity
    const action = parties.action_id
    // A movement between two accounts is a row of both: the second one completes the first.
    const other = flows.findIndex(
      (flow) =>
        !flow.isMatched &&
        flow.action === action &&
        flow.from === ends.from &&
        flow.to === ends.to &&
        flow.assetId === assetId &&
        isOpposite(flow.direction, direction),
    )
    const found = flows[other]
    if (found !== undefined) {
      const [sent, received] = direction === 'received' ? [found.amount, amount] : [amount, found.amount]
      flows[other] = { ...found, amount: sent, received: sent === received ? null : received, isMatched: true }
      continue
    }
    flows.push({ ...ends, assetId, symbol, amount, received: null, event: parties.event ?? '', action, direction, isMatched: false })
  }
  return flows.map(({ from, to, assetId, symbol, amount, received, event }) => ({ from, to, assetId, symbol, amount, received, event }))
}

/** The accounts and contracts of the flows, in the order of their first part. */
export function partiesOf(flows: readonly Flow[]): string[] {
  return [...new Set(flows.flatMap(({ from, to }) => [from, to]))]
}

function isOpposite(one: string, other: string): boolean {
  return (one === 'sent' && other === 'received') || (one === 'received' && other === 'sent')
}

function endsOf(activity: Activity, parties: Parties): { readonly from: string; readonly to: string } | null {
  const { address, contract, direction, asset_id: assetId, amount } = activity
  if (assetId === '' || Number(amount) === 0 || parties.debt_change !== undefined) return null
  if (direction === 'sent') return distinct(address, otherSideOf(activity, parties, 0))
  if (direction === 'received') return distinct(otherSideOf(activity, parties, -1), address)
  if (parties.path_step !== undefined) return stepOf(assetId, parties)
  if (parties.payer !== undefined) return distinct(parties.payer, contract)
  if (parties.receiver !== undefined) return distinct(contract, parties.receiver)
  return null
}

/** A step of a path goes on in the next pool. The row of that pool says the same again and is left out. */
function stepOf(assetId: string, { path_step: step = 0, path = [], pools = [] }: Parties): { from: string; to: string } | null {
  const [from, to] = [pools[step - 1], pools[step]]
  return path[step] === assetId && from !== undefined && to !== undefined ? distinct(from, to) : null
}

/** Of a swap the pool, whichever contract passed the assets on; else whom the row names, such as another account or the backstop. */
function otherSideOf({ activity_type, counterparty, contract }: Activity, { pools = [] }: Parties, end: 0 | -1): string {
  if (activity_type === 'swap') return pools.at(end) ?? contract
  return counterparty || contract
}

function distinct(from: string, to: string): { from: string; to: string } | null {
  return from === to || from === '' || to === '' ? null : { from, to }
}
