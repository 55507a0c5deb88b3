// Liquidations, redemptions, auctions and bad debt in words: actions of two sides, of which each has a sentence of its own.

import type { ActivityRecord } from '@orrery/read-model/queries'
import { listed, shortened } from './english.ts'
import { metadataOf, roleOf } from './row-facts.ts'
import { amountsOf } from './sentence-amounts.ts'

type Row = ActivityRecord
type Rows = readonly Row[]

/** What an account gave, got and owes after an action of two sides. A role without amounts has empty lists. */
interface Sides {
  readonly paid: Rows
  readonly got: Rows
  readonly owesMore: Rows
  readonly owesLess: Rows
}

function sidesOf(own: Rows): Sides {
  const changes = own.filter((row) => row.asset_id !== '' && metadataOf(row).debt_change !== undefined)
  const [owesLess = [], owesMore = []] = [true, false].map((less) =>
    changes.filter((row) => String(metadataOf(row).debt_change).startsWith('-') === less),
  )
  const moved = (direction: Row['direction']): Rows => own.filter((row) => row.asset_id !== '' && row.direction === direction)
  return { paid: moved('sent'), got: moved('received'), owesMore, owesLess }
}

/** The liquidator pays the debt or takes it over, and receives the collateral in return. */
export function liquidationPhrase(own: Rows): string {
  const [first] = own as [Row]
  const { paid, got, owesMore, owesLess } = sidesOf(own)
  const { reason, vault_owners } = metadataOf(first)
  if (roleOf(first) !== 'liquidator') {
    const lead = reason === 'evicted' ? 'Vault was closed by the protocol' : 'Was liquidated'
    return withParts(lead, [...lostParts(paid, got), ...lessParts(owesLess)], 'lost nothing')
  }
  const whom = Array.isArray(vault_owners) ? `${vault_owners.length} vaults` : otherOf(first)
  return withParts(
    whom === '' ? 'Liquidated an account' : `Liquidated ${whom}`,
    [...paidParts(paid), ...gotParts(got), ...moreParts(owesMore)],
    'received nothing',
  )
}

/** Coins are exchanged for the collateral of another account's vault, whose debt they repay. */
export function redemptionPhrase(own: Rows): string {
  const [first] = own as [Row]
  const { paid, got, owesLess } = sidesOf(own)
  if (roleOf(first) === 'redeemer') return `Redeemed ${amountsOf(paid) || 'nothing'} for ${amountsOf(got) || 'nothing'}`
  const by = otherOf(first)
  return withParts(
    by === '' ? 'Vault was redeemed' : `Vault was redeemed by ${by}`,
    [...lostParts(paid, got), ...lessParts(owesLess)],
    'lost nothing',
  )
}

const AUCTIONS: Readonly<Record<string, string>> = {
  user_liquidation: 'a liquidation auction',
  bad_debt: 'a bad-debt auction',
  interest: 'an interest auction',
}

/** `ofViewer`: the sentence is for the account of the row, which need not be named. */
export function auctionPhrase(own: Rows, ofViewer: boolean): string {
  const [first] = own as [Row]
  const { reason, auction_type, percent } = metadataOf(first)
  const auction = AUCTIONS[String(auction_type)] ?? 'an auction'
  // Any account may open an auction, and the event does not name it: the row is that of the account whose position is sold.
  if (reason === 'created') {
    const part = typeof percent === 'number' && percent < 100 ? `${percent} % of ` : ''
    const whose = ofViewer ? 'the position' : `the position of ${shortened(first.address)}`
    const of = auction_type === 'user_liquidation' ? ` of ${part}${whose}` : ''
    return `${auction.charAt(0).toUpperCase()}${auction.slice(1)}${of} was opened`
  }
  if (reason === 'cancelled') return `Cancelled ${auction}`
  const { paid, got, owesMore, owesLess } = sidesOf(own)
  if (roleOf(first) === 'backstop') {
    return `${listed([...(paid.length > 0 ? [`Paid ${amountsOf(paid)}`] : ['Paid nothing']), ...lessParts(owesLess)])} in ${auction}`
  }
  if (owesMore.length > 0)
    return `Took over ${amountsOf(owesMore)} of debt${got.length === 0 ? '' : ` for ${amountsOf(got)}`} in ${auction}`
  if (got.length === 0) return `Paid ${amountsOf(paid) || 'nothing'} and received nothing in ${auction}`
  return `Bought ${amountsOf(got)}${paid.length === 0 ? '' : ` for ${amountsOf(paid)}`} in ${auction}`
}

/** Debt that its debtor cannot repay passes to the backstop; what the backstop cannot repay either is a loss of the suppliers. */
export function badDebtPhrase(own: Rows): string {
  const [first] = own as [Row]
  const amount = amountsOf(own.filter((row) => row.asset_id !== '')) || 'nothing'
  const isDefault = metadataOf(first).reason === 'defaulted'
  switch (roleOf(first)) {
    case 'debtor':
      return `Bad debt of ${amount} was passed to the backstop`
    case 'suppliers':
      return `Suppliers lost ${amount} to bad debt`
    default:
      return isDefault ? `Wrote off ${amount} of bad debt` : `Took over ${amount} of bad debt${fromOf(first)}`
  }
}

const paidParts = (rows: Rows): string[] => (rows.length === 0 ? [] : [`paid ${amountsOf(rows)}`])
const gotParts = (rows: Rows): string[] => (rows.length === 0 ? [] : [`received ${amountsOf(rows)}`])
const moreParts = (rows: Rows): string[] => (rows.length === 0 ? [] : [`took over ${amountsOf(rows)} of debt`])
const lessParts = (rows: Rows): string[] => (rows.length === 0 ? [] : [`owes ${amountsOf(rows)} less`])

function lostParts(paid: Rows, back: Rows): string[] {
  return [...(paid.length === 0 ? [] : [`lost ${amountsOf(paid)}`]), ...(back.length === 0 ? [] : [`got back ${amountsOf(back)}`])]
}

function withParts(lead: string, parts: readonly string[], otherwise: string): string {
  return `${lead}: ${listed(parts.length > 0 ? parts : [otherwise])}`
}

/** The other account, shortened; '' where there is none, or where it is the contract itself. */
function otherOf({ counterparty, contract }: Row): string {
  return counterparty === '' || counterparty === contract ? '' : shortened(counterparty)
}

function fromOf(row: Row): string {
  const other = otherOf(row)
  return other === '' ? '' : ` from ${other}`
}
