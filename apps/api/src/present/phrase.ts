// An action of an account in words: one phrase for the legs of one type of an action, such as `Supplied 1,250 USDC as collateral`.
// The words depend on the type, the shares that moved and the role of the account; `settings-phrase.ts` has the words for settings.

import type { ActivityRecord } from '@orrery/read-model/queries'
import { wholeUnits } from './amount.ts'
import { grouped, listed, shortened } from './english.ts'
import { type NameOf, settingPhrase, settingsPhrase } from './settings-phrase.ts'

type Row = ActivityRecord
type Rows = readonly Row[]

/** Roles of the side that started an action with two sides. */
export const ACTING_ROLES: ReadonlySet<string> = new Set(['liquidator', 'redeemer', 'filler', 'giver'])

export function roleOf(row: Row): string {
  return String(metadataOf(row).role ?? '')
}

export function metadataOf(row: Row): Readonly<Record<string, unknown>> {
  return JSON.parse(row.metadata) as Readonly<Record<string, unknown>>
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
  unstake_cancel: 'Cancelled the unstaking of',
  unstake: 'Unstaked',
  liquidation: 'Liquidated',
  bad_debt: 'Wrote off',
  redemption: 'Redeemed',
  transfer: 'Transferred',
  emission: 'Distributed',
}

/** `own`: legs of one account and one type, at least one; of type `admin` all legs of one contract. */
export function phraseOf(own: Rows, nameOf: NameOf): string {
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
      return liquidationPhrase(first, given, received)
    case 'auction':
      return auctionPhrase(first, given, received)
    case 'redemption':
      return roleOf(first) === 'redeemer'
        ? `Redeemed ${amountsOf(given)} for ${amountsOf(received)}`
        : movePhrase(first, own, given, received)
    default:
      return movePhrase(first, own, given, received)
  }
}

/** Types that give something, where another account paid or a claim was deposited again; and types that receive something, paid to another account. */
const GIVING: ReadonlySet<string> = new Set(['deposit', 'repay', 'stake'])
const RECEIVING: ReadonlySet<string> = new Set(['withdraw', 'borrow', 'claim', 'unstake', 'swap'])

/** The side of a sentence on which an amount stands. Null: on neither, as between two pools of a path. */
function sideOf(row: Row): 'given' | 'received' | null {
  if (row.direction !== 'none') return row.direction === 'sent' ? 'given' : 'received'
  const { debt_change, path_step } = metadataOf(row)
  if (path_step !== undefined) return null
  // Who takes over a debt gives value for what the other side loses.
  if (debt_change !== undefined && isDebt(row)) return String(debt_change).startsWith('-') ? 'received' : 'given'
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
  return `${verbOf(first, moved.length > 0 && given.length === 0)} ${what}${debtOf(own)}${useOf(first)}${receiverOf(first)}`
}

/** Tokens that the administrator of a protocol distributes once to a list of accounts. */
function dropPhrase(received: Rows): string {
  const amounts = [...Map.groupBy(received, ({ asset_id }) => asset_id).values()].map((rows) => {
    const [first] = rows as [Row]
    return { ...first, amount: rows.reduce((sum, { amount }) => sum + amount, 0n) }
  })
  const accounts = new Set(received.map(({ address }) => address)).size
  return `Dropped ${amountsOf(amounts)} to ${accounts} ${accounts === 1 ? 'account' : 'accounts'}`
}

/** A pool divides what its backstop distributed among its reserves; `gulp` credits tokens that were sent to the contract without a deposit. */
function emissionPhrase(first: Row, own: Rows, given: Rows, received: Rows, nameOf: NameOf): string {
  const { event } = metadataOf(first)
  if (first.asset_id === '') return settingPhrase(first, nameOf) ?? movePhrase(first, own, given, received)
  const amount = amountsOf(own.filter((row) => row.asset_id !== ''))
  if (event === 'gulp') return `Credited ${amount} to the backstop`
  const isShareOfPool = first.address === first.contract && first.counterparty !== ''
  if ((event === 'gulp_emissions' || event === 'update_emissions') && isShareOfPool) return `Allotted ${amount} to its reserves`
  return `Distributed ${amount}`
}

/** A vault that is transferred takes its debt with it. */
function debtOf(own: Rows): string {
  const owed = own.filter((row) => row.activity_type === 'transfer' && metadataOf(row).raw_debt_change !== undefined)
  return owed.length === 0 ? '' : ` with ${amountsOf(owed)} of debt`
}

/** `onlyReceived`: the account gave nothing. */
function verbOf({ activity_type, asset_id, share_amount, share_type }: Row, onlyReceived: boolean): string {
  if (activity_type === 'transfer' && onlyReceived) return 'Received'
  // Shares withdrawn without any asset in return are burnt.
  if (activity_type === 'withdraw' && asset_id === '' && share_amount > 0n) return 'Burnt'
  if (activity_type === 'deposit' && share_type.startsWith('b_token')) return 'Supplied'
  return VERBS[activity_type] ?? activity_type
}

/** The purpose of lent or staked tokens. */
function useOf({ activity_type, share_type }: Row): string {
  if (share_type === 'b_token_collateral') {
    if (activity_type === 'deposit') return ' as collateral'
    if (activity_type === 'withdraw') return ' of collateral'
  }
  if (share_type === 'backstop_share' && activity_type === 'stake') return ' as backstop'
  return ''
}

function receiverOf({ activity_type, direction, counterparty, contract }: Row): string {
  if (activity_type !== 'transfer' || direction !== 'sent' || counterparty === '') return ''
  return counterparty === contract ? ' to the pool itself' : ` to ${shortened(counterparty)}`
}

/** Of a path over several pools, only the amount sent to the first pool and the amount received from the last one. */
function swapPhrase(given: Rows, received: Rows): string {
  const firstPool = given[0]?.contract
  const lastPool = received.at(-1)?.contract
  const gave = amountsOf(given.filter((row) => row.contract === firstPool))
  const got = amountsOf(received.filter((row) => row.contract === lastPool))
  if (got === '') return `Gave ${gave} in a swap`
  return gave === '' ? `Received ${got} in a swap` : `Swapped ${gave} for ${got}`
}

/** The liquidator pays the debt or takes it over, and receives the collateral in return. */
function liquidationPhrase(first: Row, given: Rows, received: Rows): string {
  if (roleOf(first) !== 'liquidator') return given.length > 0 ? `Lost ${amountsOf(given)} in a liquidation` : 'Was liquidated'
  const price = given.some(isDebt) ? `taking over ${amountsOf(given)} of debt` : `for ${amountsOf(given)}`
  const whose = first.counterparty === '' || first.counterparty === first.contract ? '' : ` of ${shortened(first.counterparty)}`
  return `Liquidated ${amountsOf(received) || 'nothing'}${whose}${given.length === 0 ? '' : ` ${price}`}`
}

const AUCTIONS: Readonly<Record<string, string>> = {
  user_liquidation: 'a liquidation auction',
  bad_debt: 'a bad-debt auction',
  interest: 'an interest auction',
}

function auctionPhrase(first: Row, given: Rows, received: Rows): string {
  const { reason, auction_type } = metadataOf(first)
  const auction = AUCTIONS[String(auction_type)] ?? 'an auction'
  if (reason === 'created') return `Opened ${auction}`
  if (reason === 'cancelled') return `Called off ${auction}`
  const debt = given.filter(isDebt)
  const paid = given.filter((row) => !isDebt(row))
  if (debt.length > 0)
    return `Took over ${amountsOf(debt)} of debt${received.length === 0 ? '' : ` for ${amountsOf(received)}`} in ${auction}`
  if (received.length === 0) return `Gave ${amountsOf(paid) || 'nothing'} in ${auction}`
  return `Bought ${amountsOf(received)}${paid.length === 0 ? '' : ` for ${amountsOf(paid)}`} in ${auction}`
}

function isDebt(row: Row): boolean {
  return row.share_type === 'd_token'
}

function amountsOf(rows: Rows): string {
  return listed(rows.map((row) => `${grouped(wholeUnits(row.amount, row.asset_decimals))} ${assetName(row)}`))
}

/** The pool's own token, and shares that are transferred, are called `pool shares`: the sentence names the pool anyway. */
function assetName({ activity_type, asset_id, asset_symbol, contract, share_type }: Row): string {
  const isShare = asset_id === contract || (activity_type === 'transfer' && share_type === 'lp_share')
  return isShare ? 'pool shares' : asset_symbol || shortened(asset_id)
}

function sharesOf({ share_amount, share_decimals, share_type }: Row): string {
  return `${grouped(wholeUnits(share_amount, share_decimals))} ${share_type === 'backstop_share' ? 'backstop' : 'pool'} shares`
}
