// Token flows of an operation: by the rows of the feed, and by the events of the tokens; for FxDAO's contracts and for
// other holders.

import type { Address, ContractId } from '@orrery/ledger'
import type { ActivityRow } from '@orrery/protocol-kit'
import { excessOf, type FlowComparison, type RecordedOperation, TokenFlows, type TokenMove } from '@orrery/testkit'

/** The role of each contract, for the whole recording. */
export interface Contracts {
  readonly collateral: ContractId
  /** Vaults and locking pools. */
  isOurs(address: Address | null): boolean
  /** A coin that the vaults mint and burn. */
  isCoin(token: ContractId | ''): boolean
}

/**
 * Whether a row is about a position only: collateral that a vault lost to a redeemer or liquidator (who has a separate row), a vault that
 * was transferred, debt that is written off or transferred.
 */
export function movesNothing({ direction, metadata }: ActivityRow): boolean {
  const { role } = metadata
  const isLost = direction === 'sent' && (role === 'vault_owner' || role === 'liquidated')
  return direction === 'none' || role === 'giver' || role === 'receiver' || isLost
}

/**
 * The protocol's fee of every action, in collateral: once an action, however many rows it has. `isPaidIn`: the account pays it to the treasury,
 * beside what goes into the vault; otherwise the vaults contract does, out of what the vault gives.
 */
function feesOf(
  rows: readonly ActivityRow[],
): { readonly payer: Address; readonly fee: bigint; readonly isPaidIn: boolean; readonly contract: ContractId }[] {
  const actions = Map.groupBy(rows, ({ actionId }) => actionId)
  return [...actions.values()].flatMap((ofAction) => {
    const [first] = ofAction
    if (first === undefined || first.metadata.raw_fee === undefined) return []
    const fee = BigInt(String(first.metadata.raw_fee))
    return [{ payer: first.address, fee, isPaidIn: first.activityType === 'deposit', contract: first.contract }]
  })
}

/** Flows of vaults and locking pools. Coins are minted and burnt, and never theirs. */
export function contractFlows({ rows, moves }: RecordedOperation, { collateral, isCoin, isOurs }: Contracts): FlowComparison[] {
  const ofRows = new TokenFlows()
  for (const row of rows) {
    if (movesNothing(row) || isCoin(row.assetId)) continue
    if (row.direction === 'sent') ofRows.receive(row.contract, row.assetId, row.amount)
    else ofRows.send(row.contract, row.assetId, row.amount)
  }
  for (const { fee, isPaidIn, contract } of feesOf(rows)) if (!isPaidIn) ofRows.send(contract, collateral, fee)
  const ofTokens = new TokenFlows()
  for (const { token, from, to, amount } of moves) {
    if (from !== null && isOurs(from)) ofTokens.send(from, token, amount)
    if (to !== null && isOurs(to)) ofTokens.receive(to, token, amount)
  }
  return ofRows.compare(ofTokens)
}

/** What other holders gave to and got from FxDAO's contracts, coins that were made and burnt included. */
export function holderFlows({ rows, moves }: RecordedOperation, { collateral, isCoin, isOurs }: Contracts): FlowComparison[] {
  const ofRows = new TokenFlows()
  for (const row of rows) {
    if (movesNothing(row)) continue
    if (row.direction === 'sent') ofRows.send(row.address, row.assetId, row.amount)
    else ofRows.receive(row.address, row.assetId, row.amount)
  }
  const ofTokens = new TokenFlows()
  const paidIn = new Set<TokenMove>()
  for (const { payer, fee, isPaidIn } of feesOf(rows)) {
    if (!isPaidIn) continue
    ofRows.send(payer, collateral, fee)
    const move = moves.find((it) => it.token === collateral && it.from === payer && it.amount === fee && !isOurs(it.to) && !paidIn.has(it))
    if (move !== undefined) paidIn.add(move)
  }
  for (const { token, from, to, amount } of paidIn) {
    if (from !== null) ofTokens.send(from, token, amount)
    if (to !== null) ofTokens.receive(to, token, amount)
  }
  for (const { token, from, to, amount } of moves) {
    const isSeen = (other: Address | null) => (other === null ? isCoin(token) : isOurs(other))
    if (from !== null && !isOurs(from) && isSeen(to)) ofTokens.send(from, token, amount)
    if (to !== null && !isOurs(to) && isSeen(from)) ofTokens.receive(to, token, amount)
  }
  return ofRows.compare(ofTokens)
}

/**
 * Why rows and tokens are what they are, or null.
 * @param into Direction of tokens that reach a contract by a plain transfer: `received` for a contract, `sent` for any other holder.
 */
export function kindOf(
  comparison: FlowComparison,
  { rows }: RecordedOperation,
  { collateral }: Contracts,
  into: 'received' | 'sent',
): string | null {
  const { sent, received } = excessOf(comparison)
  if (sent === 0n && received === 0n) return 'equal'
  const fees = feesOf(rows).reduce((sum, { fee }) => sum + fee, 0n)
  const isFee = comparison.asset === collateral && fees > 0n && sent === 0n && -received === fees
  if (isFee && comparison.rows.received === 0n) return 'fee to the treasury'
  // A plain transfer: no call of a contract of FxDAO, and no position changes.
  return rows.length === 0 && comparison.tokens[into === 'sent' ? 'received' : 'sent'] === 0n ? 'gift' : null
}
