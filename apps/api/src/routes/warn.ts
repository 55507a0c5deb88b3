// The warnings that several routes give, in the same words.

import type { ActivityRecord } from '@orrery/read-model/queries'
import type { Enrichment } from '../envelope.ts'
import type { IndexedSpan } from '../params/bucket-window.ts'
import { hasUnknownUnits } from '../present/activity.ts'
import type { PriceUse } from '../present/price-use.ts'
import type { OwnState } from '../read-through/own-state.ts'
import { STALE_SECONDS, type Warning, type WarningCode } from '../warnings.ts'

/** Most warnings of one code with a path. One more without a path counts the rest. */
const MAX_PATHS = 20

export function adapterUnhealthy(): Warning {
  return {
    code: 'adapter_unhealthy',
    message: 'An adapter that this answer depends on is missing or not healthy. `/v1/health` names it.',
    path: null,
  }
}

export function indexStartsLate(): Warning {
  return {
    code: 'index_starts_late',
    message: 'The index begins after a deployment of the protocol. It lacks what has not changed since then.',
    path: null,
  }
}

export function outsideWarnings(isOutside: boolean, { first, last }: IndexedSpan): Warning[] {
  if (!isOutside) return []
  const message = `The request reaches outside the indexed ledgers ${first.ledger} to ${last.ledger}. The answer has what is indexed.`
  return [{ code: 'outside_index', message, path: null }]
}

/** What the index lacks of an answer at one ledger. */
export function rangeWarnings(
  { indexed, beginsLate }: { readonly indexed: IndexedSpan; readonly beginsLate: boolean },
  at: { readonly outside: boolean },
): Warning[] {
  return [...(beginsLate ? [indexStartsLate()] : []), ...outsideWarnings(at.outside, indexed)]
}

/** @param shown How many points the answer has. */
export function historyCut(shown: number): Warning {
  return {
    code: 'history_cut',
    message: `Only the newest ${shown} points are shown. Ask for an earlier window with \`to\`, or for buckets with \`interval\`.`,
    path: '/points',
  }
}

export function transactionIncomplete(): Warning {
  return {
    code: 'transaction_incomplete',
    message: 'Activities of the transaction are not indexed yet. Ask again in a few seconds.',
    path: null,
  }
}

/** None if the answer shows nothing that was read from an RPC. */
export function readThrough({ sources }: OwnState): Warning[] {
  if (sources.length === 0) return []
  return [{ code: 'read_through', message: 'Positions with `metadata.as_of_ledger` were read from a Stellar RPC.', path: null }]
}

export function givenPrices(): Warning {
  return {
    code: 'given_prices',
    message: 'Values are computed with prices of the request: they are not the values of the index.',
    path: '/pool',
  }
}

/** For an answer as a whole: the oldest price that it used. */
export function stalePriceUse(prices: PriceUse | undefined): Warning[] {
  const ageSeconds = prices?.oldestSeconds ?? 0
  if (ageSeconds <= STALE_SECONDS) return []
  const message = `The oldest price used was observed ${ageSeconds} seconds before the ledger of the answer closed.`
  return [{ code: 'stale_price', message, path: null }]
}

/** One for each row of a list that `isMissing` selects. */
export function rowWarnings<Row>(
  rows: readonly Row[],
  isMissing: (row: Row) => boolean,
  warning: { readonly code: WarningCode; readonly message: string; readonly path: (n: number) => string },
): Warning[] {
  const { code, message, path } = warning
  return limited(rows.flatMap((row, n) => (isMissing(row) ? [{ code, message, path: path(n) }] : [])))
}

/** Activities whose amounts are raw because the decimals of the asset are unknown. */
export function unknownUnits(rows: readonly ActivityRecord[]): Warning[] {
  const message = 'The decimals of the asset are unknown: `amount` is null and `metadata.raw_amount` has the amount.'
  return rowWarnings(rows, hasUnknownUnits, { code: 'unknown_decimals', message, path: (n) => `/activities/${n}/amount` })
}

/** Actions with a token whose decimals are unknown. */
export function unknownActionUnits(isUnknown: readonly boolean[]): Warning[] {
  const message = 'The decimals of a token are unknown: its amount is in its smallest unit.'
  return rowWarnings(isUnknown, (unknown) => unknown, { code: 'unknown_decimals', message, path: (n) => `/actions/${n}` })
}

/** Points whose value lacks a part without a price. `path`: of the list of points. */
export function unpricedPoints<Row>(points: readonly Row[], isUnpriced: (row: Row) => boolean): Warning[] {
  const message = 'The value of the point lacks an asset without a price.'
  return rowWarnings(points, isUnpriced, { code: 'unpriced_asset', message, path: (n) => `/points/${n}` })
}

/** Portfolios, without their items, whose totals lack a value. */
export function unpricedPortfolios<Shown>(portfolios: readonly Shown[], isUnpriced: (portfolio: Shown) => boolean): Warning[] {
  const { code, message } = UNNAMED_PART
  return rowWarnings(portfolios, isUnpriced, { code, message, path: (n) => `/portfolios/${n}` })
}

/**
 * Names the values that are missing from totals: each shown USD value that is null.
 * @param isComplete Whether all values of the answer are known: then a null is not a missing part of a total.
 */
export function missingValues(isComplete: boolean, data: unknown, { assets }: Enrichment): Warning[] {
  if (isComplete) return []
  const found = nullValues(data, '').map(({ path, asset }): Warning => {
    const known = asset === null ? undefined : assets[asset]
    if (asset !== null && known?.decimals === null) {
      return { code: 'unknown_decimals', message: `The decimals of \`${asset}\` are unknown, so it has no value in USD.`, path }
    }
    const named = asset === null ? 'A part' : `\`${known?.symbol || asset}\``
    return { code: 'unpriced_asset', message: `${named} has no price at the ledger of the answer. Totals lack its value.`, path }
  })
  return found.length > 0 ? limited(found) : [UNNAMED_PART]
}

const UNNAMED_PART: Warning = {
  code: 'unpriced_asset',
  message: 'Totals lack the value of a part that has no price or cannot be computed exactly.',
  path: null,
}

/** Members whose null means that a total lacks a value. Costs, gains and rates of emissions are no parts of totals. */
const VALUE = /^(usd_value|supplied_usd|deposited_usd|borrowed_usd|collateral_usd|debt_usd)$/
/** `claimable` of items stands again in `rewards`. */
const NOT_IN_TOTALS = new Set(['cost_basis', 'claimable', 'vs_hold'])
const ASSET_MEMBERS = ['asset_id', 'asset_address', 'token', 'collateral_asset'] as const

interface NullValue {
  /** JSON pointer. */
  readonly path: string
  readonly asset: string | null
}

function nullValues(value: unknown, path: string): NullValue[] {
  if (Array.isArray(value)) return value.flatMap((item, n) => nullValues(item, `${path}/${n}`))
  if (typeof value !== 'object' || value === null) return []
  const members = value as Readonly<Record<string, unknown>>
  const asset = ASSET_MEMBERS.map((name) => members[name]).find((id) => typeof id === 'string') ?? null
  return Object.entries(members).flatMap(([name, member]) => {
    if (NOT_IN_TOTALS.has(name)) return []
    if (member === null) return VALUE.test(name) ? [{ path: `${path}/${name}`, asset: asset as string | null }] : []
    return nullValues(member, `${path}/${name}`)
  })
}

function limited(warnings: readonly Warning[]): Warning[] {
  return [...Map.groupBy(warnings, ({ code }) => code)].flatMap(([code, all]) => {
    if (all.length <= MAX_PATHS) return all
    const more: Warning = { code, message: `The same holds for ${all.length - MAX_PATHS} more places.`, path: null }
    return [...all.slice(0, MAX_PATHS), more]
  })
}
