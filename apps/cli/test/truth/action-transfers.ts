// What an account's actions of one transaction have as `sent` and `received` of a token, against the token's recorded transfers. Where they differ,
// the reason is one of this file. A reason computes the difference from the rows or from the recorded transfers, to the last unit: what it leaves is a fault.
// Each names a recorded transaction, by its ledger and the start of its hash.

import type { Answer } from '../indexed-network.ts'
import { raw } from './recorded.ts'
import type { RecordedTransaction } from './recorded-transfers.ts'

type Row = Answer['data']

/** In the token's smallest unit. */
export interface Flow {
  readonly sent: bigint
  readonly received: bigint
}

/** An account, a token and a transaction. */
export interface Case {
  readonly account: string
  readonly asset: string
  /** The account's rows of the feed in the transaction. */
  readonly rows: readonly Row[]
  readonly transaction: RecordedTransaction
  readonly contracts: RecordedContracts
}

/** From the author of the recording. */
export interface RecordedContracts {
  /** Share token by pool. */
  readonly shareTokens: ReadonlyMap<string, string>
  readonly feesCollector: string
}

const NONE: Flow = { sent: 0n, received: 0n }
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n)
const plus = (a: Flow, b: Flow): Flow => ({ sent: a.sent + b.sent, received: a.received + b.received })
const isSame = (a: Flow, b: Flow): boolean => a.sent === b.sent && a.received === b.received
const rawOf = ({ metadata }: Row): bigint => BigInt(metadata.raw_amount)

/** What moved from one address to another. Null stands for every address, and for none of a mint and a burn. */
function moved({ transaction, asset }: Case, from: string | null, to: string | null): bigint {
  const all = transaction.transfers.filter(
    (it) => it.token === asset && (from === null || it.from === from) && (to === null || it.to === to),
  )
  return sum(all.map(({ amount }) => amount))
}

const recordedFlow = (of: Case): Flow => ({ sent: moved(of, of.account, null), received: moved(of, null, of.account) })

/** Sums of the rows with a direction. */
function directed(rows: readonly Row[]): Flow {
  const of = (direction: string) => sum(rows.filter((row) => row.direction === direction).map(rawOf))
  return { sent: of('sent'), received: of('received') }
}

const rowsOfAsset = ({ rows, asset }: Case): Row[] => rows.filter(({ asset_id }) => asset_id === asset)

/** Rows of positions that change hands: the tokens stay in the pool or in the vaults' contract. */
function isPositionAlone({ protocol, activity_type, direction, metadata }: Row): boolean {
  if (protocol === 'blend') return activity_type === 'liquidation' || activity_type === 'bad_debt'
  if (protocol !== 'fxdao') return false
  // What comes back to the owner of a redeemed vault is paid; what the vault lost is not.
  const isLoser = metadata.role === 'liquidated' || metadata.role === 'vault_owner'
  return activity_type === 'transfer' || (isLoser && direction === 'sent')
}

/** Computes what the tokens have beyond the actions. */
type Reason = (of: Case) => Flow

const REASONS: Readonly<Record<string, Reason>> = {
  /**
   * A liquidator of Blend takes over bTokens and dTokens, a vault of FxDAO is liquidated, redeemed or given away: no token moves.
   * 1000758 78b79e5d (liquidation), 1004765 27445191 (redemption), 1006304 a4514d78 (transfer of a vault).
   */
  'position without tokens': (of) => {
    const { sent, received } = directed(rowsOfAsset(of).filter(isPositionAlone))
    return { sent: -sent, received: -received }
  },

  /** Shares that a deposit mints and a withdrawal burns are `share_amount`; the amounts are what they stand for. 1000737 8d4178c0, 18f6b117. */
  shares: ({ asset, rows, contracts }) => {
    const ofToken = rows.filter(({ contract, asset_id }) => contracts.shareTokens.get(contract) === asset && asset_id !== asset)
    const shares = (type: string) =>
      sum(ofToken.filter(({ activity_type }) => activity_type === type).map((row) => BigInt(raw(row.share_amount))))
    return { sent: shares('withdraw'), received: shares('deposit') }
  },

  /** A deposit in FxDAO pays its fee to the treasury beside the collateral: `raw_fee` of its rows. 1006497 9f66a907. */
  fee: (of) => {
    const paid = rowsOfAsset(of).filter(({ protocol, activity_type }) => protocol === 'fxdao' && activity_type === 'deposit')
    return { sent: sum(paid.map(({ metadata }) => BigInt(metadata.raw_fee ?? 0))), received: 0n }
  },

  /** A pair of Soroswap counts what it holds above its reserves, sent to it in an earlier transaction, as paid by the account. 1002506 d6ab775c. */
  'sent before': (of) => {
    const used = rowsOfAsset(of).filter(({ protocol, direction }) => protocol === 'soroswap' && direction === 'sent')
    const pairs = new Set(used.map(({ contract }) => contract))
    return { sent: -sum([...pairs].map((pair) => of.transaction.surplus.get(`${pair} ${of.asset}`) ?? 0n)), received: 0n }
  },

  /** A contract that swaps for the account keeps a part of what the pools paid. 1000579 d82450c9. */
  'cut of the contract between': (of) => {
    const passed = rowsOfAsset(of).filter(({ metadata, direction }) => metadata.attribution === 'pass_through' && direction === 'received')
    const between = new Set<string>(passed.map(({ counterparty }) => counterparty))
    return { sent: 0n, received: -sum([...between].map((contract) => moved(of, null, contract) - moved(of, contract, null))) }
  },

  /** A flash loan goes to the contract that the account names; that contract hands it on to the account. 1006454 a69704d6, 1005200 7737d7d9. */
  'flash loan handed on': (of) => {
    const lent = rowsOfAsset(of).filter(({ metadata }) => metadata.event === 'flash_loan' && metadata.receiver !== of.account)
    const handedOn = lent.filter(({ metadata }) => moved(of, metadata.receiver, of.account) > 0n)
    return { sent: 0n, received: sum(handedOn.map(rawOf)) }
  },

  /** Another account repays more than the debt; the pool returns the rest to the debtor. 1000969 4bcda1ca. */
  'returned to the debtor': (of) => {
    const paid = rowsOfAsset(of).filter(({ metadata, activity_type }) => activity_type === 'repay' && metadata.payer !== undefined)
    return { sent: 0n, received: sum(paid.map((row) => moved(of, row.metadata.payer, row.contract) - rawOf(row))) }
  },

  /**
   * What Aquarius's collector of fees gets is no amount of an action: an administrator creates a pool (1000593 f128dcb1), a contract swaps its
   * commissions and pays them out (1004898 951b1b22).
   */
  'paid to the fees collector': (of) => ({ sent: moved(of, of.account, of.contracts.feesCollector), received: 0n }),

  /** Rows of administration have no amounts: scheduled rewards are paid at once, a rate times a duration. 1006338 5b65a99c. */
  'scheduled rewards': ({ rows, asset }) => {
    const schedules = rows.filter(({ metadata }) => metadata.event === 'rewards_gauge_schedule_reward' && metadata.reward_token === asset)
    const total = ({ metadata }: Row) => BigInt(metadata.tokens_per_second) * (BigInt(metadata.ends_at) - BigInt(metadata.starts_at))
    return { sent: sum(schedules.map(total)), received: 0n }
  },

  /** A pool has a row for the debt that its suppliers lose. Its tokens are in the actions of the accounts that pay it. 1001009 7419ae47. */
  'tokens of the pool': (of) =>
    of.rows.length > 0 && of.rows.every(({ metadata }) => metadata.role === 'suppliers') ? recordedFlow(of) : NONE,

  /** Requests of one `submit` of a pool of Blend: it moves what they come to, asset by asset. 1001254 a003a4ad. */
  'netted in one submit': (of) => {
    const requests = rowsOfAsset(of).filter((row) => row.protocol === 'blend' && row.direction !== 'none' && !isPositionAlone(row))
    const { sent, received } = directed(requests)
    const isNetted = sent > 0n && received > 0n && new Set(requests.map(({ contract }) => contract)).size === 1
    const both = sent < received ? sent : received
    return isNetted ? { sent: -both, received: -both } : NONE
  },
}

/**
 * A pool takes the most that was allowed and returns to the account what it did not need; shares are burnt and minted back alike. 1004999 7c29f71e
 * (deposit), 1004098 4a4b4f8c (swap), 1002395 d4815f47 (repay), 1003058 fc031aac (shares).
 */
function isGivenBack(of: Case, amount: bigint): boolean {
  const ofAsset = of.transaction.transfers.filter(({ token }) => token === of.asset)
  const others = new Set(ofAsset.flatMap(({ from, to }) => [from, to]).filter((other) => other !== of.account))
  const bothWays = [...others].map((other) => {
    const there = sum(ofAsset.filter(({ from, to }) => from === of.account && to === other).map((it) => it.amount))
    const back = sum(ofAsset.filter(({ from, to }) => from === other && to === of.account).map((it) => it.amount))
    return there < back ? there : back
  })
  return amount > 0n && amount <= sum(bothWays)
}

/**
 * Names the reasons by which `shown`, of the actions, is what the tokens recorded: `equal` where there is none, null where they do not explain it.
 */
export function explain(shown: Flow, of: Case): string | null {
  const recorded = recordedFlow(of)
  if (isSame(shown, recorded)) return 'equal'
  const reasons = Object.entries(REASONS).map(([name, reason]) => [name, reason(of)] as const)
  const used = reasons.filter(([, flow]) => !isSame(flow, NONE))
  const names = used.map(([name]) => name)
  const explained = used.reduce((flow, [, more]) => plus(flow, more), shown)
  const back = recorded.sent - explained.sent
  if (back === recorded.received - explained.received && isGivenBack(of, back)) return [...names, 'given back'].join(' and ')
  return isSame(explained, recorded) ? names.join(' and ') : null
}
