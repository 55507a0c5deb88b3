// One English sentence about a transaction that a wallet can show: who gave what for what, and where.
// Made at read time from the activity rows of all protocols, so that a better sentence needs no replay.

import { isProtocolId } from '@orrery/protocol-kit'
import type { ActivityRecord } from '@orrery/read-model/queries'
import { wholeUnits } from './amount.ts'
import { PROTOCOL_FACTS } from './protocol-facts.ts'

/** Clauses of one sentence; what is more is counted. */
const MOST_CLAUSES = 3

interface Clause {
  readonly text: string
  /** `in USDC/XLM (Soroswap)`: said once when clauses share it. */
  readonly place: string
}

/** `poolName` gives the name of a pool, '' for one that has none. */
export function summarize(rows: readonly ActivityRecord[], poolName: (contract: string) => string): string {
  const all = [...Map.groupBy(rows, (row) => `${row.protocol} ${row.action_id}`).values()]
  if (all.length === 0) return 'No activity of an indexed protocol.'
  // A fee that a protocol takes along the way is not what the person did.
  const chosen = all.filter((action) => action[0]?.activity_type !== 'emission')
  const actions = chosen.length > 0 ? chosen : all
  const clauses = actions.slice(0, MOST_CLAUSES).map((action) => clauseOf(action, poolName))
  const rest = actions.length - clauses.length
  const spoken = clauses.map(({ text, place }, n) => {
    const said = n === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1)
    return place === '' || clauses[n + 1]?.place === place ? said : `${said} ${place}`
  })
  if (rest > 0) spoken.push(`${rest} more ${rest === 1 ? 'action' : 'actions'}`)
  return listed(spoken)
}

/** `a`, `a and b`, `a, b and c`. */
function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function clauseOf(action: readonly ActivityRecord[], poolName: (contract: string) => string): Clause {
  const [first] = action as [ActivityRecord]
  // Both sides of an action may stand in its rows: the sentence is told by the one that comes first.
  const own = action.filter((row) => row.address === first.address)
  const pools = new Set(own.map((row) => row.contract))
  return {
    text: phraseOf(first, own),
    place: pools.size > 1 ? `through ${pools.size} pools (${displayName(first)})` : placeOf(first, poolName),
  }
}

function placeOf(row: ActivityRecord, poolName: (contract: string) => string): string {
  const name = poolName(row.contract)
  return name === '' ? `on ${displayName(row)}` : `in ${name} (${displayName(row)})`
}

function displayName({ protocol }: ActivityRecord): string {
  return isProtocolId(protocol) ? PROTOCOL_FACTS[protocol].displayName : protocol
}

/** What is said of an action where its amounts say the rest. */
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
  auction: 'Opened an auction of',
  bad_debt: 'Wrote off',
  redemption: 'Redeemed',
  transfer: 'Transferred',
  emission: 'Distributed',
  admin: 'Changed settings',
}

function phraseOf(first: ActivityRecord, own: readonly ActivityRecord[]): string {
  const given = own.filter((row) => row.leg === 'in' && row.asset_id !== '')
  const received = own.filter((row) => row.leg === 'out' && row.asset_id !== '')
  if (first.activity_type === 'swap') return swapPhrase(given, received)
  if (first.activity_type === 'admin') return 'Changed settings'
  const shares = own.find((row) => row.share_amount > 0n)
  const liquidity = shares?.share_type === 'lp_share' && (first.activity_type === 'deposit' || first.activity_type === 'withdraw')
  if (liquidity && given.length + received.length > 0) {
    return first.activity_type === 'deposit' ? `Added ${amountsOf(given)} of liquidity` : `Removed ${amountsOf(received)} of liquidity`
  }
  const moved = given.length > 0 ? given : received
  const what =
    moved.length > 0
      ? amountsOf(moved)
      : shares === undefined
        ? 'nothing'
        : `${grouped(wholeUnits(shares.share_amount, shares.share_decimals))} pool shares`
  return `${verbOf(first, moved.length > 0 && given.length === 0)} ${what}${receiverOf(first)}`
}

function receiverOf({ activity_type, leg, counterparty, contract }: ActivityRecord): string {
  if (activity_type !== 'transfer' || leg !== 'in' || counterparty === '') return ''
  return counterparty === contract ? ' to the pool itself' : ` to ${shortened(counterparty)}`
}

/** `onlyReceived`: the account gave nothing. */
function verbOf({ activity_type, asset_id, share_amount }: ActivityRecord, onlyReceived: boolean): string {
  if (activity_type === 'transfer' && onlyReceived) return 'Received'
  // Shares that leave without anything coming back are gone.
  if (activity_type === 'withdraw' && asset_id === '' && share_amount > 0n) return 'Burnt'
  return VERBS[activity_type] ?? activity_type
}

/** Of a path over several pools only what went in first and came out last: the rest passed through. */
function swapPhrase(given: readonly ActivityRecord[], received: readonly ActivityRecord[]): string {
  const firstPool = given[0]?.contract
  const lastPool = received.at(-1)?.contract
  const gave = amountsOf(given.filter((row) => row.contract === firstPool))
  const got = amountsOf(received.filter((row) => row.contract === lastPool))
  if (got === '') return `Gave ${gave} in a swap`
  return gave === '' ? `Received ${got} in a swap` : `Swapped ${gave} for ${got}`
}

function amountsOf(rows: readonly ActivityRecord[]): string {
  return listed(rows.map((row) => `${grouped(wholeUnits(row.amount, row.asset_decimals))} ${assetName(row)}`))
}

/** A pool's own token is its shares: the sentence names the pool anyway. */
function assetName({ asset_id, asset_symbol, contract }: ActivityRecord): string {
  return asset_id === contract ? 'pool shares' : asset_symbol || shortened(asset_id)
}

/** Thousands set apart: `1250.5` is `1,250.5`. */
function grouped(amount: string): string {
  const [whole = '', fraction] = amount.split('.')
  const set = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? set : `${set}.${fraction}`
}

function shortened(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`
}
