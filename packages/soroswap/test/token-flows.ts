// Token flows of an operation: by the rows of the feed, and by the events of the tokens; for the pairs, and for
// holders that are no pair.

import { type Address, type ContractId, readScVals } from '@orrery/ledger'
import type { ActivityRow } from '@orrery/protocol-kit'
import { excessOf, type FlowComparison, poolSide, type RecordedOperation, TokenFlows, type TokenMove } from '@orrery/testkit'

/** Every pair, by address. */
export type Pairs = { has(address: string): boolean }

/** Flows of pairs, without their own shares. */
export function pairFlows({ rows, moves }: RecordedOperation, pairs: Pairs): FlowComparison[] {
  const ofRows = new TokenFlows()
  for (const row of rows) {
    const { assetId, amount, contract, metadata } = row
    // `skim` pays out tokens that came without a row: it is compared with those.
    if (assetId === contract || metadata.event === 'SoroswapPair/skim') continue
    const side = poolSide(row, rows)
    if (side === 'in') ofRows.receive(contract, assetId, amount)
    else if (side === 'out') ofRows.send(contract, assetId, amount)
  }
  const ofTokens = new TokenFlows()
  for (const { token, from, to, amount } of moves) {
    if (from !== null && from !== token && pairs.has(from)) ofTokens.send(from, token, amount)
    if (to !== null && to !== token && pairs.has(to)) ofTokens.receive(to, token, amount)
  }
  return ofRows.compare(ofTokens)
}

/** What other holders gave to pairs and got from them; of shares what every holder but the pair itself gave and got. */
export function holderFlows({ rows, moves }: RecordedOperation, pairs: Pairs): FlowComparison[] {
  const ofRows = new TokenFlows()
  for (const row of rows) {
    const { activityType, address, assetId, amount, contract, metadata, shareAmount } = row
    const isShares = assetId === contract
    if (!isShares && activityType === 'deposit') ofRows.receive(address, contract, shareAmount)
    if (!isShares && activityType === 'withdraw') ofRows.send(address, contract, shareAmount)
    // Shares of a pair that are tokens of another one: the row of their transfer has them too.
    if (!isShares && pairs.has(assetId)) continue
    // Between two pairs: no holder's.
    if (metadata.path_step !== undefined) continue
    const side = poolSide(row, rows)
    if (side === 'in') ofRows.send(isShares ? address : payerOf(row), assetId, amount)
    else if (side === 'out') ofRows.receive(isShares ? address : receiverOf(row), assetId, amount)
  }
  const ofTokens = new TokenFlows()
  for (const { token, from, to, amount } of moves) {
    const isSeen = pairs.has(token) ? () => true : (other: Address | null) => other !== null && pairs.has(other)
    const isHolder = (address: Address | null): address is Address =>
      address !== null && (pairs.has(token) ? address !== token : !pairs.has(address))
    if (isHolder(from) && isSeen(to)) ofTokens.send(from, token, amount)
    if (isHolder(to) && isSeen(from)) ofTokens.receive(to, token, amount)
  }
  return ofRows.compare(ofTokens)
}

/** The payer: the account of the row where it has a direction, or the contract that acted for it; else the row names it. */
function payerOf({ address, counterparty, direction, metadata }: ActivityRow): Address {
  if (metadata.attribution === 'pass_through') return counterparty
  return direction === 'sent' ? address : String(metadata.payer)
}

/** The receiver of the tokens: the account of the row where it has a direction, or the contract that acted for it; else the counterparty. */
function receiverOf({ address, counterparty, direction, metadata }: ActivityRow): Address {
  if (metadata.attribution === 'pass_through') return counterparty
  return direction === 'received' ? address : counterparty
}

/**
 * Why the tokens of a pair are what they are, or null.
 * @param change What it got beyond its rows.
 * @param above What it held above its reserves before.
 */
export function pairKind(change: bigint, above: bigint, rows: readonly ActivityRow[]): string | null {
  if (change === 0n) return 'equal'
  if (change > 0n) return rows.length > 0 ? null : 'sent alone'
  return -change <= above ? 'sent before' : null
}

/**
 * Why a holder's rows and tokens are what they are, or null.
 * @param used What pairs used of what they held above their reserves, by asset.
 */
export function holderKind(comparison: FlowComparison, used: ReadonlyMap<ContractId, bigint>, rows: readonly ActivityRow[]): string | null {
  const { sent, received } = excessOf(comparison)
  if (sent === 0n && received === 0n) return 'equal'
  // No row: the pair holds the tokens until a call uses them.
  if (rows.length === 0) return received === 0n && sent < 0n ? 'sent alone' : null
  return received === 0n && sent === used.get(comparison.asset) ? 'sent before' : null
}

/** Pairs whose reserves became what they hold: every deposit, withdraw and swap ends so, and `sync` does nothing else. With what came after. */
export function syncedPairs({ events, moves }: RecordedOperation): { readonly pair: ContractId; readonly later: readonly TokenMove[] }[] {
  const synced = new Map<ContractId, number>()
  for (const { contract, index, topics } of events) {
    const [label, name] = readScVals(topics)
    const isSync = label?.type === 'string' && label.value === 'SoroswapPair' && name?.type === 'symbol' && name.value === 'sync'
    if (contract !== null && isSync) synced.set(contract, index)
  }
  return [...synced].map(([pair, index]) => ({ pair, later: moves.filter((move) => move.index > index && move.to === pair) }))
}
