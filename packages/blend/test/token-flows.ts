// Who gave and got which tokens in an operation, seen from holders other than Blend's contracts: by the rows of the feed, and by the events
// of the tokens.

import type { Address, ContractId } from '@orrery/ledger'
import type { ActivityRow } from '@orrery/protocol-kit'
import { excessOf, type FlowComparison, type RecordedOperation, TokenFlows } from '@orrery/testkit'
import type { Directory } from '../src/fold/directory.ts'

/** Why a row with an asset moves no token, or null where it does. */
export function reasonOfNoMove({ activityType, direction, metadata, shareType }: ActivityRow): string | null {
  // Collateral and debt pass from account to account inside the pool, as shares.
  if (activityType === 'liquidation' || activityType === 'bad_debt' || (activityType === 'auction' && shareType === 'd_token'))
    return `${activityType} ${metadata.role}`
  // LP tokens that the backstop buys with BLND of its own and deposits for the holder.
  if (metadata.reason === 'auto_compound') return 'stake auto_compound'
  if (activityType === 'claim' && metadata.lp_tokens !== undefined) return 'claim auto_compound'
  return direction === 'none' && metadata.payer === undefined && metadata.receiver === undefined ? 'nothing moves' : null
}

/** Whether the tokens of a row that moves some went into Blend's contracts. */
export function isPaidIn({ direction, metadata }: ActivityRow): boolean {
  return direction === 'sent' || (direction === 'none' && metadata.payer !== undefined)
}

/** What accounts, and contracts that are not Blend's, gave to and got from Blend's. */
export function holderFlows({ rows, moves }: RecordedOperation, directory: Directory): FlowComparison[] {
  const isOurs = (address: Address) => directory.roleOf(address) !== null
  const isLp = (token: ContractId) => directory.roleOf(token) === 'comet'
  const ofRows = new TokenFlows()
  for (const row of rows) {
    // The LP tokens of an exit go back to the Comet pool; those of a join come without an event of theirs.
    if (row.activityType === 'withdraw' && isLp(row.contract)) ofRows.send(row.address, row.contract, row.shareAmount)
    if (reasonOfNoMove(row) !== null || isOurs(row.address)) continue
    // A direction is the account's own; where another account paid or was paid, there is none, and the row names that account.
    const { payer, receiver } = row.metadata
    const other = row.direction === 'none' ? String(payer ?? receiver) : row.address
    if (isPaidIn(row)) ofRows.send(other, row.assetId, row.amount)
    else ofRows.receive(other, row.assetId, row.amount)
  }
  const ofTokens = new TokenFlows()
  for (const { token, from, to, amount } of moves) {
    if (to === null) continue
    // A drop: the emitter makes BLND for accounts.
    const isFromOurs = from === null ? isDrop(rows, token) : isOurs(from)
    // A transfer of LP tokens between two accounts has its rows too.
    if (from !== null && !isOurs(from) && (isLp(token) || isOurs(to))) ofTokens.send(from, token, amount)
    if (!isOurs(to) && (isFromOurs || (isLp(token) && from !== null))) ofTokens.receive(to, token, amount)
  }
  return ofRows.compare(ofTokens)
}

function isDrop(rows: readonly ActivityRow[], token: ContractId): boolean {
  return rows.some(({ assetId, metadata }) => metadata.event === 'drop' && assetId === token)
}

/**
 * Why rows and tokens are what they are, or null.
 * @param all Comparisons of the whole operation.
 */
export function kindOf(
  comparison: FlowComparison,
  all: readonly FlowComparison[],
  { rows, events }: RecordedOperation,
  directory: Directory,
): string | null {
  const { sent, received } = excessOf(comparison)
  if (sent === 0n && received === 0n) return 'equal'
  // A pool takes what a repayment may cost at most, and sends back what the debt did not need.
  if (sent === received && sent < 0n) return 'sent back'
  // A submit names a spender and a receiver: what one paid too much the other gets.
  const others = all.filter(({ asset, holder }) => asset === comparison.asset && holder !== comparison.holder).map(excessOf)
  const isHandedOn = others.some((other) => other.received === sent && other.sent === received && sent + received < 0n)
  if (isHandedOn && rows.some(({ metadata }) => metadata.payer !== undefined)) return 'sent back to the receiver'
  // Requests of one submit: the pool moves what they come to, asset by asset (pool/src/pool/submit.rs).
  const isNetted = sent === received && comparison.rows.sent > 0n && comparison.rows.received > 0n
  if (isNetted) return 'netted in one submit'
  const isPlain = events.every(({ contract }) => contract === null || directory.roleOf(contract) === null)
  return rows.length === 0 && isPlain && comparison.tokens.received === 0n ? 'gift' : null
}
