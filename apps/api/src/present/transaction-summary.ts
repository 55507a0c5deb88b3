// One English sentence about a transaction that a wallet can show: the amounts sent and received, and the pool.
// It is made at read time from the activity rows of all protocols, so that a better sentence needs no replay.

import type { ActivityRecord } from '@orrery/read-model/queries'
import { inSequence, lowered, shortened } from './english.ts'
import { type Phrase, type Preposition, phraseOf } from './phrase.ts'
import { ACTING_ROLES, metadataOf, roleOf } from './row-facts.ts'

/** Most clauses of one sentence; further actions are counted. */
const MOST_CLAUSES = 3

interface Clause {
  /** One for each type of the action, at least one. */
  readonly phrases: readonly Phrase[]
  /** `in USDC/XLM (Soroswap)`: written once if consecutive clauses share it. */
  readonly place: string
}

/** Names for the sentence; '' for an address without a name. */
export interface SummaryNames {
  /** Of a pool of the row's protocol. */
  pool(contract: string): string
  /** Of a protocol, for people. */
  protocol(id: string): string
  /** Of any contract or token. */
  any(id: string): string
}

/**
 * One sentence without a subject, such as `Swapped 1,250 USDC for 4,985 XLM in USDC/XLM (Soroswap)`.
 *
 * @param rows Rows of one action or of one transaction, in the order in which they happened; of all accounts, or of one of them.
 * @param viewer Account for which the sentence is: only its own rows are in the sentence. Null, or an account without a row: each action is
 * shown for the account that acted. If only rows of one account are given, the sentence is for that account, whatever `viewer` is.
 */
export function summarize(rows: readonly ActivityRecord[], names: SummaryNames, viewer: string | null = null): string {
  const seen = rows.filter(({ address }) => address === viewer)
  const all = [...Map.groupBy(seen.length > 0 ? seen : rows, actionOf).values()]
  if (all.length === 0) return 'No activity of an indexed protocol.'
  // A fee that a protocol takes is not an action of the account.
  const chosen = all.filter((action) => action[0]?.activity_type !== 'emission')
  const actions = chosen.length > 0 ? chosen : emissionsOf(all)
  const clauses = actions.slice(0, MOST_CLAUSES).map((action) => clauseOf(action, names, viewer))
  const rest = actions.length - clauses.length
  const parts = clauses.flatMap(({ phrases, place }, n) => {
    const isLast = clauses[n + 1]?.place !== place
    const shared = isLast ? prepositionOf(clauses, n) : null
    return phrases.map(({ text, preposition, party }, k) => {
      if (!isLast || k < phrases.length - 1) return `${text}${party}`
      return preposition === shared ? `${text} ${placed(place, shared)}${party}` : `${text}${party} ${place}`
    })
  })
  if (rest > 0) parts.push(`${rest} more ${rest === 1 ? 'action' : 'actions'}`)
  return inSequence(parts.map((phrase, n) => (n === 0 ? phrase : lowered(phrase))))
}

/** Rates of emissions follow from the amounts distributed, so they are shown only if there are no amounts. */
function emissionsOf(all: readonly ActivityRecord[][]): readonly ActivityRecord[][] {
  const moving = all.filter(([first]) => first?.asset_id !== '')
  return moving.length > 0 ? moving : all
}

/** All changed settings of one contract are one change, however many events they have. */
function actionOf({ protocol, activity_type, contract, action_id }: ActivityRecord): string {
  return `${protocol} ${activity_type === 'admin' ? contract : action_id}`
}

function clauseOf(action: readonly ActivityRecord[], names: SummaryNames, viewer: string | null): Clause {
  const [first] = action as [ActivityRecord]
  // Both sides of an action may have rows: the subject of the sentence is the one that acted, else the first one.
  const subject = action.find((row) => ACTING_ROLES.has(roleOf(row))) ?? first
  const own = first.activity_type === 'admin' ? action : action.filter((row) => row.address === subject.address)
  const pools = new Set(own.map((row) => row.contract))
  const nameOf = (id: string): string => names.any(id) || shortened(id)
  // Opening a vault both deposits and borrows: the legs of one type are one phrase.
  const phrases = [...Map.groupBy(own, (row) => row.activity_type).values()].map((rows) =>
    phraseOf(rows, nameOf, subject.address === viewer),
  )
  return {
    phrases,
    place: pools.size > 1 ? `through ${pools.size} pools (${names.protocol(first.protocol)})` : placeOf(subject, names),
  }
}

/** The preposition of all phrases that share the place of the last clause `n`; null if they differ. */
function prepositionOf(clauses: readonly Clause[], n: number): Preposition | null {
  const place = clauses[n]?.place
  const first = clauses.findLastIndex((clause, k) => k < n && clause.place !== place) + 1
  const all = new Set(clauses.slice(first, n + 1).flatMap(({ phrases }) => phrases.map(({ preposition }) => preposition)))
  return all.size === 1 ? ([...all][0] ?? null) : null
}

/** A place with the preposition of its phrases. `on Blend` and `through 2 pools` have their own. */
function placed(place: string, preposition: Preposition): string {
  return place.replace(/^in /, `${preposition} `)
}

function placeOf(row: ActivityRecord, names: SummaryNames): string {
  const { protocol, contract, activity_type, share_type } = row
  const vault = vaultOf(row)
  if (vault !== '') return `${vault} (${names.protocol(protocol)})`
  const pool = names.pool(contract)
  // `the FxDAO locking pool` names the protocol already.
  if (pool.startsWith(`${names.protocol(protocol)} `)) return `in the ${pool}`
  if (pool !== '') return `in ${pool} (${names.protocol(protocol)})`
  // A pool that a protocol uses but that is not its own: Blend's backstops hold LP tokens of Comet.
  const isMarket = activity_type === 'swap' || share_type === 'lp_share'
  const market = isMarket ? names.any(contract) : ''
  return market === '' ? `on ${names.protocol(protocol)}` : `in the ${market}`
}

/** An account has at most one vault of a currency; who redeems has the coins of another account's vault. */
function vaultOf(row: ActivityRecord): string {
  const { currency } = metadataOf(row)
  if (typeof currency !== 'string' || row.activity_type === 'admin') return ''
  if (metadataOf(row).vault_owners !== undefined) return `in ${currency} vaults`
  if (roleOf(row) !== 'redeemer') return `in the ${currency} vault`
  return `from ${row.counterparty === '' ? 'a' : 'the'} ${currency} vault${row.counterparty === '' ? '' : ` of ${shortened(row.counterparty)}`}`
}
