// Changed settings in words, from the name and the fields of the contract's event: `Set the status to on-ice`.
// An event that has no words here is shown by its name: `Changed settings (ramp a)`.

import type { ActivityRecord } from '@orrery/read-model/queries'
import { wholeUnits } from './amount.ts'
import { listed, lowered } from './english.ts'

/** Name of an address in a sentence: of a pool or a token its name, of an account the two ends of its address. */
export type NameOf = (id: string) => string

type EventFields = Readonly<Record<string, unknown>>
/** Null if the event lacks the fields that the words need: another contract may use the same event name. */
type Words = (fields: EventFields, nameOf: NameOf) => string | null

/** Blend's own codes. */
const STATUSES = ['active', 'active', 'on-ice', 'on-ice', 'frozen', 'frozen', 'setup']

/** Words about one field of the event. */
const about =
  (member: string, words: (name: string) => string): Words =>
  (fields, nameOf) =>
    typeof fields[member] === 'string' ? words(nameOf(fields[member])) : null

const WORDS: Readonly<Record<string, Words>> = {
  deploy: about('pool', (pool) => `Deployed the pool ${pool}`),
  set_admin: about('new_admin', (admin) => `Made ${admin} the admin`),
  propose_admin: about('new_admin', (admin) => `Proposed ${admin} as admin`),
  update_pool: poolLimits,
  set_status: ({ status }) => (STATUSES[Number(status)] === undefined ? null : `Set the status to ${STATUSES[Number(status)]}`),
  queue_set_reserve: about('asset', (asset) => `Queued new settings of the ${asset} reserve`),
  cancel_set_reserve: about('asset', (asset) => `Cancelled the queued settings of the ${asset} reserve`),
  set_reserve: about('asset', (asset) => `Set up the ${asset} reserve`),
  set_emissions_config: () => 'Set the distribution of emissions',
  reserve_emission_update: emissionRate,
  rw_zone: about('added', (pool) => `Added ${pool} to the reward zone`),
  rw_zone_add: (fields, nameOf) => {
    const instead = typeof fields.removed === 'string' ? ` in place of ${nameOf(fields.removed)}` : ''
    return typeof fields.added === 'string' ? `Added ${nameOf(fields.added)} to the reward zone${instead}` : null
  },
  rw_zone_remove: about('removed', (pool) => `Removed ${pool} from the reward zone`),
  q_swap: about('new_backstop', (backstop) => `Queued the switch of emissions to ${backstop}`),
  del_swap: about('new_backstop', (backstop) => `Cancelled the switch of emissions to ${backstop}`),
  swap: about('new_backstop', (backstop) => `Switched emissions to ${backstop}`),
}

/** The take rate has 7 decimals. */
function poolLimits({ backstop_take_rate: rate, max_positions: positions }: EventFields): string | null {
  if (!/^\d+$/.test(String(rate)) || positions === undefined) return null
  return `Set the take rate of the backstop to ${wholeUnits(BigInt(String(rate)), 5)} % and the maximum number of positions of an account to ${positions}`
}

/** Reserve tokens: index · 2 are the debts of a reserve, index · 2 + 1 what is supplied to it. */
function emissionRate({ reserve_token_id: id }: EventFields): string | null {
  const token = Number(id)
  return Number.isInteger(token) ? `Set the emissions on ${token % 2 === 1 ? 'supply' : 'debt'} of reserve ${token >> 1}` : null
}

/** Most changes that are named one by one; if there are more, they are counted. */
const MOST_CHANGES = 3

/** `rows`: all changed settings of one contract, at least one row. */
export function settingsPhrase(rows: readonly ActivityRecord[], nameOf: NameOf): string {
  const worded = new Set(rows.flatMap((row) => settingPhrase(row, nameOf) ?? []))
  const others = new Set(rows.flatMap((row) => (settingPhrase(row, nameOf) === null ? eventOf(fieldsOf(row)) : [])))
  others.delete('')
  if (worded.size + others.size > MOST_CHANGES) return `Changed ${worded.size + others.size} settings`
  const names = [...others].map((event) => event.replaceAll('_', ' '))
  const rest = others.size > 0 ? [`Changed settings (${names.join(', ')})`] : []
  const [first = 'Changed settings', ...more] = [...worded, ...rest]
  return listed([first, ...more.map(lowered)])
}

/** The words for one event; null if there are none. */
export function settingPhrase(row: ActivityRecord, nameOf: NameOf): string | null {
  const fields = fieldsOf(row)
  const event = eventOf(fields)
  return Object.hasOwn(WORDS, event) ? (WORDS[event]?.(fields, nameOf) ?? null) : null // a contract may call its event `constructor`
}

function fieldsOf(row: ActivityRecord): EventFields {
  return JSON.parse(row.metadata) as EventFields
}

/** `SoroswapFactory/fees` is `fees`. */
function eventOf({ event }: EventFields): string {
  return String(event ?? '').replace(/^.*\//, '')
}
