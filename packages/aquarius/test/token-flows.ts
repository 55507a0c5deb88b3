// Which accounts sent and received which tokens in an operation: by the rows of the feed, and by the events of the tokens. Seen from the pools, from
// holders other than Aquarius's contracts, and from accounts for which a contract acted.

import type { Address, ContractId } from '@orrery/ledger'
import type { ActivityRow } from '@orrery/protocol-kit'
import { excessOf, type FlowComparison, poolSide, type RecordedOperation, TokenFlows, type TokenMove } from '@orrery/testkit'
import type { AquariusState } from '../src/state/state.ts'

/** Which contract is what, for the whole recording: contracts never change sides. */
export interface Contracts {
  /** The pool that an address is, or whose gauge it is. */
  poolOf(address: Address | null): ContractId | null
  isRouter(address: Address | null): boolean
  isShareToken(token: ContractId | ''): boolean
  /** Null for concentrated pools. */
  shareTokenOf(pool: ContractId): ContractId | null
}

export function contractsOf(state: AquariusState, routers: ReadonlySet<string>): Contracts {
  const shareTokens = new Map([...state.shareTokens].flatMap(([token, { pool, counts }]) => (counts ? [[pool, token] as const] : [])))
  return {
    poolOf: (address) => (address === null ? null : state.pools.has(address) ? address : (state.gaugePools.get(address) ?? null)),
    isRouter: (address) => address !== null && routers.has(address),
    isShareToken: (token) => state.shareTokens.has(token),
    shareTokenOf: (pool) => shareTokens.get(pool) ?? null,
  }
}

/** What pools got and gave, with their gauges: what moves between the two is neither. */
export function poolFlows({ rows, moves }: RecordedOperation, { poolOf, isShareToken }: Contracts): FlowComparison[] {
  const ofRows = new TokenFlows()
  for (const row of rows) {
    const { assetId, amount, contract } = row
    if (isShareToken(assetId)) continue
    const side = poolSide(row, rows)
    if (side === 'in') ofRows.receive(contract, assetId, amount)
    else if (side === 'out') ofRows.send(contract, assetId, amount)
  }
  const ofTokens = new TokenFlows()
  for (const { token, from, to, amount } of moves) {
    const [giver, receiver] = [poolOf(from), poolOf(to)]
    if (giver === receiver || isShareToken(token)) continue
    if (giver !== null) ofTokens.send(giver, token, amount)
    if (receiver !== null) ofTokens.receive(receiver, token, amount)
  }
  return ofRows.compare(ofTokens)
}

/** What other holders gave to and got from pools, gauges and routers; of shares what every holder gave and got. */
export function holderFlows({ rows, moves }: RecordedOperation, contracts: Contracts): FlowComparison[] {
  const { isShareToken, shareTokenOf } = contracts
  const ofRows = new TokenFlows()
  for (const row of rows) {
    const { activityType, address, assetId, amount, contract, direction, shareAmount } = row
    const shares = shareTokenOf(contract)
    if (shares !== null && activityType === 'deposit') ofRows.receive(address, shares, shareAmount)
    if (shares !== null && activityType === 'withdraw') ofRows.send(address, shares, shareAmount)
    // A contract that acts for an account gives and gets in its place: `behindFlows` compares the two.
    const party = isForAnother(row) ? row.counterparty : address
    if (direction === 'sent') ofRows.send(party, assetId, amount)
    else if (direction === 'received') ofRows.receive(party, assetId, amount)
  }
  const ofTokens = new TokenFlows()
  const isOurs = (address: Address | null) => contracts.poolOf(address) !== null || contracts.isRouter(address)
  for (const { token, from, to, amount } of moves) {
    if (isShareToken(token) || isOurs(from) !== isOurs(to)) {
      if (from !== null && !isOurs(from)) ofTokens.send(from, token, amount)
      if (to !== null && !isOurs(to)) ofTokens.receive(to, token, amount)
    }
  }
  return ofRows.compare(ofTokens)
}

/** Accounts that a contract swapped for, and what moved between the two. */
export function behindFlows({ rows, moves }: RecordedOperation): (FlowComparison & { readonly kept: bigint })[] {
  const ofRows = new TokenFlows()
  const ofTokens = new TokenFlows()
  const wrappers = new Map<Address, Address>()
  for (const row of rows) {
    if (!isForAnother(row)) continue
    wrappers.set(row.address, row.counterparty)
    if (row.direction === 'sent') ofRows.send(row.address, row.assetId, row.amount)
    else if (row.direction === 'received') ofRows.receive(row.address, row.assetId, row.amount)
  }
  for (const { token, from, to, amount } of moves) {
    if (from !== null && wrappers.get(from) === to) ofTokens.send(from, token, amount)
    if (to !== null && wrappers.get(to) === from) ofTokens.receive(to, token, amount)
  }
  return ofRows.compare(ofTokens).map((flows) => ({ ...flows, kept: gainOf(wrappers.get(flows.holder), flows.asset, moves) }))
}

function isForAnother({ metadata }: ActivityRow): boolean {
  return metadata.attribution === 'pass_through'
}

function gainOf(holder: Address | undefined, asset: ContractId, moves: readonly TokenMove[]): bigint {
  return moves.reduce((sum, { token, from, to, amount }) => {
    if (token !== asset) return sum
    return sum + (to === holder ? amount : 0n) - (from === holder ? amount : 0n)
  }, 0n)
}

/**
 * Why rows and tokens are what they are, or null.
 * @param into What tokens that reach a pool by themselves are to the holder: `received` by a pool, `sent` by any other holder.
 */
export function kindOf(
  comparison: FlowComparison,
  { rows, events }: RecordedOperation,
  contracts: Contracts,
  into: 'received' | 'sent',
): string | null {
  const { sent, received } = excessOf(comparison)
  if (sent === 0n && received === 0n) return 'equal'
  // The pool takes the most that was allowed and sends back what it did not need; shares are burnt and minted back alike.
  if (sent === received && sent < 0n) return 'sent back'
  if (comparison.rows.sent !== 0n || comparison.rows.received !== 0n) return null
  // Rewards that administration pays in, hands on or takes back are on their way to accounts that claim them.
  if (rows.length > 0) return rows.every(({ activityType }) => activityType === 'admin') ? 'rewards on their way' : null
  // A gift: a plain transfer to a pool, and no contract of Aquarius emits an event.
  const isPlain = events.every(({ contract }) => !contracts.isRouter(contract) && contracts.poolOf(contract) === null)
  return isPlain && comparison.tokens[into === 'sent' ? 'received' : 'sent'] === 0n ? 'gift' : null
}

/** What an account received less than its rows have is what the contract that acts for it kept. */
export function behindKind(comparison: FlowComparison & { readonly kept: bigint }): string | null {
  const { sent, received } = excessOf(comparison)
  if (received - sent !== comparison.kept || comparison.kept < 0n) return null
  return comparison.kept === 0n ? 'equal' : 'cut of the contract between'
}
