// An action of an account in words: one phrase for the legs of one type of an action, such as `Supplied 1,250 USDC as collateral`.
// The words depend on the type, the shares that moved and the role of the account; `settings-phrase.ts` has the words for settings,
// `two-sided-phrase.ts` those for actions that another account suffers.

import type { ActivityRecord } from '@orrery/read-model/queries'
import { shortened } from './english.ts'
import { metadataOf } from './row-facts.ts'
import { amountsOf, sharesOf } from './sentence-amounts.ts'
import { type NameOf, settingPhrase, settingsPhrase } from './settings-phrase.ts'
import { auctionPhrase, badDebtPhrase, liquidationPhrase, redemptionPhrase } from './two-sided-phrase.ts'

type Row = ActivityRecord
type Rows = readonly Row[]

/** Words for the legs of one type. */
export interface Phrase {
  readonly text: string
  /** How the place follows if the phrase has it alone: `from` in `Withdrew 68 USDC from Fixed (Blend)`. */
  readonly preposition: Preposition
  /** The other account of transferred shares, which stands behind the place: ` to GBOB…WXYZ`. '' for every other phrase. */
  readonly party: string
}

export type Preposition = 'in' | 'to' | 'from' | 'of'

/** Types that give to the place, or take from it. */
const PREPOSITIONS: Readonly<Record<string, Preposition>> = {
  deposit: 'to',
  repay: 'to',
  withdraw: 'from',
  borrow: 'from',
  claim: 'from',
  unstake: 'from',
  unstake_request: 'from',
  unstake_cancel: 'from',
}

/** Verbs of types whose phrase is a verb and amounts. */
const VERBS: Readonly<Record<string, string>> = {
  deposit: 'Deposited',
  withdraw: 'Withdrew',
  borrow: 'Borrowed',
  repay: 'Repaid',
  claim: 'Claimed',
  stake: 'Staked',
  unstake_request: 'Asked to unstake',
  unstake_cancel: 'Cancelled the request to unstake',
  unstake: 'Unstaked',
  transfer: 'Transferred',
  emission: 'Distributed',
}

/**
 * @param own Legs of one account and one type, at least one; of type `admin` all legs of one contract.
 * @param ofViewer The sentence is for that account: it is not named.
 */
export function phraseOf(own: Rows, nameOf: NameOf, ofViewer: boolean): Phrase {
  const [first] = own as [Row, ...Row[]]
  const text = textOf(own, nameOf, ofViewer)
  if (areShares(own)) return { text, preposition: 'of', party: partyOf(first) }
  return { text, preposition: prepositionOf(first, text), party: '' }
}

/** Shares that only change their owner. */
function areShares(own: Rows): boolean {
  return own[0]?.activity_type === 'transfer' && own.every((row) => row.share_type === 'lp_share' && row.share_amount > 0n)
}

function prepositionOf(first: Row, text: string): Preposition {
  if (eventOf(first) === 'skim') return 'from'
  // `, paid to GBOB…WXYZ from the pool` would be read of the payment.
  if (text.includes(',') && partyOf(first) !== '') return 'in'
  return isBurn(first) ? 'in' : (PREPOSITIONS[first.activity_type] ?? 'in')
}

function textOf(own: Rows, nameOf: NameOf, ofViewer: boolean): string {
  const [first] = own as [Row, ...Row[]]
  const given = own.filter((row) => row.asset_id !== '' && sideOf(row) === 'given')
  const received = own.filter((row) => row.asset_id !== '' && sideOf(row) === 'received')
  switch (first.activity_type) {
    case 'swap':
      return swapPhrase(given, received)
    case 'admin':
      return metadataOf(first).event === 'drop' && received.length > 0 ? dropPhrase(received) : settingsPhrase(own, nameOf)
    case 'emission':
      return emissionPhrase(first, own, given, received, nameOf)
    case 'liquidation':
      return liquidationPhrase(own)
    case 'auction':
      return auctionPhrase(own, ofViewer)
    case 'bad_debt':
      return badDebtPhrase(own)
    case 'redemption':
      return redemptionPhrase(own)
    default:
      return movePhrase(first, own, given, received)
  }
}

/** Types that give something, where another account paid or a claim was deposited again; and types that receive something, paid to another account. */
const GIVING: ReadonlySet<string> = new Set(['deposit', 'repay', 'stake'])
const RECEIVING: ReadonlySet<string> = new Set(['withdraw', 'borrow', 'claim', 'unstake', 'swap'])

/** The side of a sentence on which an amount stands. Null: on neither, as between two pools of a path, or where only a debt changes. */
function sideOf(row: Row): 'given' | 'received' | null {
  if (row.direction !== 'none') return row.direction === 'sent' ? 'given' : 'received'
  const { debt_change, path_step } = metadataOf(row)
  if (path_step !== undefined || debt_change !== undefined) return null
  if (GIVING.has(row.activity_type)) return 'given'
  return RECEIVING.has(row.activity_type) ? 'received' : null
}

function movePhrase(first: Row, own: Rows, given: Rows, received: Rows): string {
  const shares = own.find((row) => row.share_amount > 0n)
  const type = first.activity_type
  if (shares?.share_type === 'lp_share' && given.length + received.length > 0) {
    if (type === 'deposit') return `Added ${amountsOf(given)} of liquidity`
    if (type === 'withdraw') return `Removed ${amountsOf(received)} of liquidity`
  }
  const moved = given.length > 0 ? given : received
  const what = moved.length > 0 ? amountsOf(moved) : shares === undefined ? 'nothing' : sharesOf(shares)
  const isBurnt = type === 'withdraw' && moved.length === 0 && shares !== undefined
  const party = areShares(own) ? '' : partyOf(first)
  const rest = isBurnt ? ' without a payout' : `${debtOf(own)}${useOf(first)}${party}`
  return `${verbOf(first, moved.length > 0 && given.length === 0)} ${what}${rest}`
}

/** Tokens that the administrator of a protocol distributes once to a list of accounts. */
function dropPhrase(received: Rows): string {
  const accounts = new Set(received.map(({ address }) => address)).size
  return accounts === 1
    ? `Received ${amountsOf(received)} in a one-time distribution`
    : `Distributed ${amountsOf(received)} once to ${accounts} accounts`
}

/** A pool divides what its backstop distributed among its reserves; `gulp` credits tokens that were sent to the contract without a deposit. */
function emissionPhrase(first: Row, own: Rows, given: Rows, received: Rows, nameOf: NameOf): string {
  const { event, reason } = metadataOf(first)
  if (first.asset_id === '') return settingPhrase(first, nameOf) ?? movePhrase(first, own, given, received)
  const amount = amountsOf(own.filter((row) => row.asset_id !== ''))
  if (reason === 'protocol_fee') return `Received ${amount} of protocol fees`
  if (event === 'gulp') return `Credited ${amount} to the backstop`
  const isShareOfPool = first.address === first.contract && first.counterparty !== ''
  if ((event === 'gulp_emissions' || event === 'update_emissions') && isShareOfPool) return `Allotted ${amount} to its reserves`
  return given.length > 0 ? `Distributed ${amount} of rewards to stakers` : `Distributed ${amount}`
}

/** A vault that is transferred takes its debt with it. */
function debtOf(own: Rows): string {
  const owed = own.filter((row) => row.activity_type === 'transfer' && metadataOf(row).debt_change !== undefined)
  return owed.length === 0 ? '' : ` with ${amountsOf(owed)} of debt`
}

/** `onlyReceived`: the account gave nothing. */
function verbOf(row: Row, onlyReceived: boolean): string {
  const { activity_type, share_type } = row
  const event = eventOf(row)
  if (event === 'flash_loan') return 'Took a flash loan of'
  if (event === 'skim') return 'Collected surplus of'
  if (activity_type === 'transfer' && onlyReceived) return 'Received'
  if (isBurn(row)) return 'Burnt'
  if (activity_type === 'deposit' && share_type.startsWith('b_token')) return 'Supplied'
  return VERBS[activity_type] ?? activity_type
}

/** Shares withdrawn without any asset in return are burnt. */
function isBurn({ activity_type, asset_id, share_amount }: Row): boolean {
  return activity_type === 'withdraw' && asset_id === '' && share_amount > 0n
}

/** `SoroswapPair/skim` is `skim`. */
function eventOf(row: Row): string {
  return String(metadataOf(row).event ?? '').replace(/^.*\//, '')
}

/** The purpose of lent or staked tokens, and the source of claimed ones. */
function useOf(row: Row): string {
  const { activity_type, share_type } = row
  if (share_type === 'b_token_collateral') {
    if (activity_type === 'deposit') return ' as collateral'
    if (activity_type === 'withdraw') return ' of collateral'
  }
  const { reason } = metadataOf(row)
  if (share_type === 'backstop_share' && activity_type === 'stake')
    return reason === 'auto_compound' ? ' of claimed rewards as backstop' : ' as backstop'
  if (activity_type !== 'claim') return ''
  if (reason === 'protocol_fee') return ' of protocol fees'
  return eventOf(row) === 'claim_fees' ? ' of trading fees' : ' of rewards'
}

/** The other account: of a transfer, or the one that paid or was paid instead of the account. */
function partyOf(row: Row): string {
  const { activity_type, direction, counterparty, contract } = row
  const { payer, receiver } = metadataOf(row)
  if (typeof payer === 'string') return `, paid by ${shortened(payer)}`
  if (typeof receiver === 'string') return `, paid to ${shortened(receiver)}`
  if (activity_type !== 'transfer' || counterparty === '') return ''
  if (direction === 'sent') return counterparty === contract ? ' to the pool itself' : ` to ${shortened(counterparty)}`
  return counterparty === contract ? '' : ` from ${shortened(counterparty)}`
}

/** Of a path over several pools, only the amount sent to the first pool and the amount received from the last one. */
function swapPhrase(given: Rows, received: Rows): string {
  const firstPool = given[0]?.contract
  const lastPool = received.at(-1)?.contract
  const gave = amountsOf(given.filter((row) => row.contract === firstPool))
  const got = amountsOf(received.filter((row) => row.contract === lastPool))
  if (got === '') return `Swapped ${gave} for nothing`
  return gave === '' ? `Received ${got} in a swap` : `Swapped ${gave} for ${got}`
}
