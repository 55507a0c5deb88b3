// Warnings of an answer: a closed list of codes, each with a message and the place in `data` that it is about.
// A partial code means that something that belongs in the answer is missing; the others only qualify a value that is there.

import { z } from 'zod'

interface CodeFacts {
  readonly partial: boolean
  /** When it is set, for the OpenAPI document. */
  readonly when: string
}

export const WARNINGS = {
  adapter_unhealthy: { partial: true, when: 'an adapter that the answer draws on is missing or not healthy' },
  index_starts_late: { partial: true, when: 'the index begins after a deployment did, and what has not changed since is not in it' },
  outside_index: { partial: true, when: 'the question reaches before the first or beyond the last indexed ledger' },
  unpriced_asset: { partial: true, when: 'a total lacks the value of an asset without a price' },
  history_cut: { partial: true, when: 'older snapshots were left out of a raw history' },
  transaction_incomplete: { partial: true, when: 'the record or the activities of a transaction are not indexed yet' },
  unknown_decimals: { partial: true, when: 'a total lacks the value of an asset whose decimals are unknown' },
  stale_price: { partial: false, when: 'a price is older than an hour at the answer’s ledger' },
  read_through: { partial: false, when: 'a part of the answer was read from a Stellar RPC' },
  given_prices: { partial: false, when: 'values are computed with prices of the request' },
} as const satisfies Record<string, CodeFacts>

export type WarningCode = keyof typeof WARNINGS

const CODES = Object.keys(WARNINGS) as WarningCode[]

function meaning(partial: boolean): string {
  const listed = CODES.filter((code) => WARNINGS[code].partial === partial)
  return listed.map((code) => `\`${code}\`: ${WARNINGS[code].when}`).join('; ')
}

export const Warning = z
  .strictObject({
    code: z.enum(CODES).describe(`A closed list. These make \`partial_result\` true: ${meaning(true)}. These do not: ${meaning(false)}.`),
    message: z.string().describe('One sentence for a person.'),
    path: z.string().nullable().describe('JSON pointer (RFC 6901) into `data`, such as `/prices/0/price_usd`; null: the whole answer.'),
  })
  .meta({ id: 'Warning', example: { code: 'outside_index', message: 'The last indexed ledger is 1016500.', path: null } })
export type Warning = z.input<typeof Warning>

/** Age in seconds above which a price is reported as `stale_price`. */
export const STALE_SECONDS = 3_600

/** Whether one of them says that something is missing. */
export function hasPartial(warnings: readonly Warning[]): boolean {
  return warnings.some(({ code }) => WARNINGS[code].partial)
}
