// One English sentence about a transaction that a wallet can show: who gave what for what, and where.
// Made at read time from the activity rows of all protocols, so that a better sentence needs no replay.

import type { ActivityRecord } from '@orrery/read-model/queries'
import { listed, lowered, shortened } from './english.ts'
import { ACTING_ROLES, phraseOf, roleOf } from './phrase.ts'

/** Clauses of one sentence; what is more is counted. */
const MOST_CLAUSES = 3

interface Clause {
  /** One for each type of what was done, at least one. */
  readonly phrases: readonly string[]
  /** `in USDC/XLM (Soroswap)`: said once when clauses share it. */
  readonly place: string
}

/** Names of who is in a sentence, '' for who has none. */
export interface SpokenNames {
  /** Of a pool of the row's protocol. */
  pool(contract: string): string
  /** Of a protocol, for people. */
  protocol(id: string): string
  /** Of any contract or token. */
  any(id: string): string
}

export function summarize(rows: readonly ActivityRecord[], names: SpokenNames): string {
  const all = [...Map.groupBy(rows, actionOf).values()]
  if (all.length === 0) return 'No activity of an indexed protocol.'
  // A fee that a protocol takes along the way is not what the person did.
  const chosen = all.filter((action) => action[0]?.activity_type !== 'emission')
  const actions = chosen.length > 0 ? chosen : emissionsOf(all)
  const clauses = actions.slice(0, MOST_CLAUSES).map((action) => clauseOf(action, names))
  const rest = actions.length - clauses.length
  const spoken = clauses.flatMap(({ phrases, place }, n) => {
    const isLast = clauses[n + 1]?.place !== place
    return phrases.map((phrase, k) => (isLast && k === phrases.length - 1 ? `${phrase} ${place}` : phrase))
  })
  if (rest > 0) spoken.push(`${rest} more ${rest === 1 ? 'action' : 'actions'}`)
  return listed(spoken.map((phrase, n) => (n === 0 ? phrase : lowered(phrase))))
}

/** How fast emissions flow follows from what was distributed: it is told where nothing else is. */
function emissionsOf(all: readonly ActivityRecord[][]): readonly ActivityRecord[][] {
  const moving = all.filter(([first]) => first?.asset_id !== '')
  return moving.length > 0 ? moving : all
}

/** Settings that are changed in one place are one change, however many events tell of them. */
function actionOf({ protocol, activity_type, contract, action_id }: ActivityRecord): string {
  return `${protocol} ${activity_type === 'admin' ? contract : action_id}`
}

function clauseOf(action: readonly ActivityRecord[], names: SpokenNames): Clause {
  const [first] = action as [ActivityRecord]
  // Both sides of an action may stand in its rows: the sentence is told by the one that acted, else by the one that comes first.
  const teller = action.find((row) => ACTING_ROLES.has(roleOf(row))) ?? first
  const own = first.activity_type === 'admin' ? action : action.filter((row) => row.address === teller.address)
  const pools = new Set(own.map((row) => row.contract))
  const nameOf = (id: string): string => names.any(id) || shortened(id)
  // Opening a vault gives and takes at once: what is of one type is one phrase.
  const phrases = [...Map.groupBy(own, (row) => row.activity_type).values()].map((rows) => phraseOf(rows, nameOf))
  return {
    phrases,
    place: pools.size > 1 ? `through ${pools.size} pools (${names.protocol(first.protocol)})` : placeOf(first, names),
  }
}

function placeOf(row: ActivityRecord, names: SpokenNames): string {
  const pool = names.pool(row.contract)
  if (pool !== '') return `in ${pool} (${names.protocol(row.protocol)})`
  // A market that a protocol needs and that is not its own: Blend's backstops hold LP tokens of Comet.
  const isMarket = row.activity_type === 'swap' || row.share_type === 'lp_share'
  const market = isMarket ? names.any(row.contract) : ''
  return market === '' ? `on ${names.protocol(row.protocol)}` : `in the ${market}`
}
