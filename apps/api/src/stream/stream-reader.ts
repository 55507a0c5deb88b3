// Reads what happened in a range of ledgers, in portions of bounded size.

import { OrreryError } from '@orrery/errors'
import type { IndexTip, LedgerTime, QueryTag, ReadModel } from '@orrery/read-model'
import {
  type ActivityRecord,
  type PositionChange,
  positionsBelow,
  streamActivities,
  streamHealthFactors,
  streamPositions,
} from '@orrery/read-model/queries'
import { BELOW_FOR_LEDGERS, positionKey, recoveredAt } from './health-watch.ts'
import type { StreamFilter } from './stream-filter.ts'

/** Everything that a filter wants of the ledgers of a portion, in the order of the stream within each list. */
export interface StreamPortion {
  /** The last ledger of the portion. */
  readonly through: LedgerTime
  readonly activities: readonly ActivityRecord[]
  readonly positions: readonly PositionChange[]
  /** Pools of quarantined partitions are missing. */
  readonly partial: boolean
}

export interface StreamReader {
  /**
   * The next portion from the ledger `from` on, at most up to `to`, which the index must have. It ends before `to` where there is much, so that a
   * portion stays small in memory.
   */
  portion(filter: StreamFilter, from: number, to: LedgerTime, options: ReadOptions): Promise<StreamPortion>
  /** Positions that are below the threshold at the end of a ledger, by key: the last ledger in which their health factor was below it. */
  below(filter: StreamFilter, threshold: string, ledger: number, options: ReadOptions): Promise<ReadonlyMap<string, number>>
}

export interface ReadOptions {
  readonly tag: QueryTag
  readonly signal?: AbortSignal
}

/** Rows of each kind in a portion: some megabytes as text. A single ledger is read whole. */
const ROWS = 2_000
/** A ledger has at most some thousands of operations, so this many rows are a ledger of any size. */
const ROWS_OF_A_LEDGER = 1_000_000
const FIRST_LEDGERS = 500
const MOST_LEDGERS = 200_000

export function openStreamReader(readModel: Pick<ReadModel, 'query' | 'tip' | 'closeTimeOf'>): StreamReader {
  /** By filter: how many ledgers its last portion had. */
  const widths = new WeakMap<StreamFilter, number>()

  const read = async (filter: StreamFilter, from: number, to: number, rows: number, { tag, signal }: ReadOptions) => {
    const range = { ...listsOf(filter), from_ledger: from, to_ledger: to, watermark: to, rows: rows + 1 }
    const options = { tag, signal }
    const activities = filter.parts.has('activity')
      ? readModel.query(streamActivities[activityOrder(filter)], { ...range, types: [...filter.types] }, options)
      : []
    const wantsHealth = filter.threshold !== null || filter.parts.has('health_factor')
    const statements = wantsHealth ? streamHealthFactors : streamPositions
    const wantsPositions = filter.parts.has('position') || wantsHealth
    const positions = wantsPositions ? readModel.query(statements[positionOrder(filter)], range, options) : []
    const [activityRows, positionRows] = await Promise.all([activities, positions])
    return { activities: withoutCopies(activityRows), positions: positionRows }
  }

  return {
    async portion(filter, from, to, options) {
      const partial = hasQuarantine(await readModel.tip())
      let width = widths.get(filter) ?? FIRST_LEDGERS
      for (;;) {
        const last = Math.min(to.ledger, from + width - 1)
        const isOneLedger = last <= from
        const found = await read(filter, from, last, isOneLedger ? ROWS_OF_A_LEDGER : ROWS, options).catch((error: unknown) => {
          if (!isOneLedger && error instanceof OrreryError && error.code === 'timeout') return null
          throw error
        })
        if (found === null) {
          width = Math.max(1, Math.floor(width / 4))
          continue
        }
        const most = Math.max(found.activities.length, found.positions.length)
        if (!isOneLedger && most > ROWS) {
          width = Math.max(1, Math.floor(width / 4))
          continue
        }
        widths.set(filter, most > ROWS / 4 ? width : Math.min(MOST_LEDGERS, width * 2))
        const through = last === to.ledger ? to : { ledger: last, closeTimeSeconds: (await readModel.closeTimeOf(last, options)) ?? 0 }
        return { through, ...found, partial }
      }
    },

    async below(filter, threshold, ledger, { tag, signal }) {
      const range = { ...listsOf(filter), from_ledger: Math.max(0, ledger - BELOW_FOR_LEDGERS), to_ledger: ledger, watermark: ledger }
      const query = positionsBelow[positionOrder(filter)]
      const rows = await readModel.query(query, { ...range, threshold, recovered: recoveredAt(threshold) }, { tag, signal })
      return new Map(rows.map((row) => [positionKey(row), row.last_below]))
    },
  }
}

function listsOf({ addresses, protocols, contracts }: StreamFilter) {
  return { addresses: [...addresses], protocols: [...protocols], contracts: [...contracts] }
}

function activityOrder({ addresses, contracts }: StreamFilter): keyof typeof streamActivities {
  if (addresses.size > 0) return 'byAddress'
  return contracts.size > 0 ? 'byContract' : 'byLedger'
}

function positionOrder({ addresses }: StreamFilter): keyof typeof streamPositions {
  return addresses.size > 0 ? 'byAddress' : 'byLedger'
}

function hasQuarantine({ adapters }: IndexTip): boolean {
  return adapters.some(({ quarantined }) => quarantined.length > 0)
}

/** A retry may write a row again; copies are neighbours. */
function withoutCopies(rows: readonly ActivityRecord[]): readonly ActivityRecord[] {
  return rows.filter((row, n) => {
    const before = rows[n - 1]
    return before === undefined || !isCopy(row, before)
  })
}

function isCopy(a: ActivityRecord, b: ActivityRecord): boolean {
  return (
    a.ledger === b.ledger && a.tx_order === b.tx_order && a.op_index === b.op_index && a.event_index === b.event_index && a.row === b.row
  )
}
