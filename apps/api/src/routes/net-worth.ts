// The history of an account's net worth: stored snapshots of all its positions, added up in the read model, and at the end of the time axis the
// portfolio itself.

import type { Address } from '@orrery/ledger'
import { deploymentsOf, type Network, type ProtocolId } from '@orrery/protocol-kit'
import { netWorth, netWorthDays, netWorthSnapshots, positionFlows } from '@orrery/read-model/queries'
import { mapInPieces } from '@orrery/service-kit'
import type { z } from 'zod'
import type { BucketWindow, IndexedSpan } from '../params/bucket-window.ts'
import type { Fill } from '../params/history-query.ts'
import type { RawLedgers } from '../params/summary-query.ts'
import { bucketAt, emptyNetWorth, type NetWorthPoint, type NetWorthValues, rawAt, valuedPoint } from '../present/net-worth-point.ts'
import { netWorthSum } from '../present/summary-sum.ts'
import type { RouteContext } from '../route.ts'
import type { Warning } from '../warnings.ts'
import { lastClosed } from './other-axis.ts'
import { heldInBuckets, newestOf, readDays } from './position-days.ts'
import { historyCut, unpricedPoints } from './warn.ts'

export interface NetWorthHistory {
  readonly points: NetWorthPoint[]
  /** Older points were cut off by the limit, or a value has no price. */
  readonly warnings: readonly Warning[]
}

interface Of {
  readonly address: Address
  /** The protocols of the build. */
  readonly protocols: readonly ProtocolId[]
  readonly indexed: IndexedSpan
}

/** What the account has at the last indexed ledger. */
export interface CurrentWorth {
  readonly values: NetWorthValues
  readonly isOpen: boolean
  /** Everything has a price. */
  readonly complete: boolean
}

/** Whether the window contains the last indexed close time: its bucket shows the portfolio. */
export function reachesEnd(window: RawLedgers | BucketWindow, { last }: IndexedSpan): window is BucketWindow {
  return window.axis === 'time' && window.count > 0 && window.to === last.closeTimeSeconds
}

export async function rawNetWorth(
  { address, protocols, indexed }: Of,
  window: RawLedgers,
  context: RouteContext,
): Promise<NetWorthHistory> {
  const { readModel, call } = context
  // One more row than is shown, to find out whether older ones are cut off. A request for the latest point misses no older ones.
  const rows = window.rows === 1 ? 1 : window.rows + 1
  const bounds = { from_ledger: window.fromLedger, to_ledger: window.toLedger, rows, watermark: indexed.last.ledger }
  const newestFirst = await readModel.query(netWorthSnapshots, { address, ...bounds }, call)
  const kept = newestFirst.slice(0, window.rows).reverse()
  return {
    points: await mapInPieces(kept, (row) => valuedPoint(rawAt(row.ledger, row.close_time_seconds), row, null, protocols)),
    warnings: [...(newestFirst.length > kept.length ? [historyCut(kept.length)] : []), ...unpricedPoints(kept, (row) => row.unpriced)],
  }
}

interface Bucket extends NetWorthValues {
  readonly start: number
  readonly ledger: number
  readonly close_time_seconds: number
  readonly unpriced: boolean
}

/** @param current Read at the same time. Null: the window ends before the last indexed close time, or is of ledgers. */
export async function bucketedNetWorth(
  of: Of,
  window: BucketWindow,
  fill: Fill,
  current: Promise<CurrentWorth | null> | null,
  network: Network,
  context: RouteContext,
): Promise<NetWorthHistory> {
  if (window.count === 0) return { points: [], warnings: [] }
  const { address, protocols, indexed } = of
  const { readModel, call } = context
  const watermark = indexed.last.ledger
  const bounds = { first: window.first, width: window.width, from: window.from, to: window.to, watermark }
  const [stored, flows, present] = await Promise.all([
    storedBuckets(of, window, fill === 'locf', context),
    readModel.query(positionFlows[window.axis], { address, ...bounds, no_positions: heldElsewhere(network) }, call),
    current,
  ])
  const buckets = present === null ? stored : withCurrent(stored, present, window, fill, indexed)
  const flowsOf = new Map(flows.map((row) => [row.start, row]))
  const valued = await mapInPieces(buckets, (row) => {
    const at = bucketAt(window.axis, row.start, row.ledger, row.close_time_seconds)
    return {
      start: row.start,
      unpriced: row.unpriced,
      point: valuedPoint(at, row, flowsOf.get(row.start)?.net_flows_usd ?? '0', protocols),
    }
  })
  const shown = fill === 'null' || fill === 'zero' ? await filled() : valued
  return {
    points: shown.map(({ point }) => point),
    warnings: unpricedPoints(shown, ({ start, unpriced }) => unpriced || flowsOf.get(start)?.unpriced === true),
  }

  async function filled(): Promise<typeof valued> {
    const byStart = new Map(valued.map((one) => [one.start, one]))
    const starts = Array.from({ length: window.count }, (_, n) => window.first + n * window.width)
    const empty = starts.filter((start) => !byStart.has(start))
    const lastOf = await lastClosed(window, empty, indexed, context)
    return starts.map((start) => {
      const known = byStart.get(start)
      if (known !== undefined) return known
      const { ledger, seconds } = lastOf(start)
      const at = bucketAt(window.axis, start, ledger, seconds)
      const point = emptyNetWorth(fill === 'zero' ? 'zero' : 'null', at, flowsOf.get(start)?.net_flows_usd ?? '0', protocols)
      return { start, unpriced: false, point }
    })
  }
}

async function storedBuckets(
  { address, indexed }: Of,
  window: BucketWindow,
  carry: boolean,
  context: RouteContext,
): Promise<readonly Bucket[]> {
  const { readModel, call } = context
  const { axis, first, width, from, to, count } = window
  const rows = await readDays(window, indexed, context, (days) => readModel.query(netWorthDays, { address, ...days }, call))
  const buckets = rows === null ? null : heldInBuckets(rows, window, ({ protocol, pool }) => `${protocol} ${pool}`)
  if (buckets === null)
    return readModel.query(netWorth[axis], { address, first, width, from, to, count, carry, watermark: indexed.last.ledger }, call)
  return await mapInPieces(
    buckets.filter(({ fresh }) => fresh || carry),
    ({ start, held }) => ({ start, ...newestOf(held), unpriced: held.some(isUnpriced), ...netWorthSum(held) }),
  )
}

const isUnpriced = (row: z.output<typeof netWorthDays.row>): boolean =>
  row.unpriced_assets > 0 || row.deposited_usd === null || row.borrowed_usd === null

/** The last bucket shows the portfolio; where buckets may be absent, only if it has a snapshot or a carried value, or if anything is open. */
function withCurrent(
  stored: readonly Bucket[],
  { values, isOpen, complete }: CurrentWorth,
  window: BucketWindow,
  fill: Fill,
  { last }: IndexedSpan,
): readonly Bucket[] {
  const start = window.first + (window.count - 1) * window.width
  const before = stored.filter((row) => row.start !== start)
  const mayBeAbsent = fill === 'none' || fill === 'locf'
  if (mayBeAbsent && !isOpen && before.length === stored.length) return stored
  return [...before, { ...values, start, ledger: last.ledger, close_time_seconds: last.closeTimeSeconds, unpriced: !complete }]
}

/** The token that backstops hold is a share of a pool, but only what is in a backstop is a position. */
function heldElsewhere(network: Network): string[] {
  return deploymentsOf(network, 'blend').flatMap((deployment) => ('backstopToken' in deployment ? String(deployment.backstopToken) : []))
}
