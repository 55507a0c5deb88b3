// Facts of the index that every answer needs, read once for each tip.

import {
  type ControlFact,
  type IndexTip,
  type LedgerTime,
  type PartitionHealth,
  type QueryOptions,
  type ReadModel,
  readPartitionHealth,
} from '@orrery/read-model'
import { controlFacts, firstIndexedLedger } from '@orrery/read-model/queries'
import type { RouteContext } from '../route.ts'

interface IndexFacts {
  /** Null before the first ledger. */
  readonly first: LedgerTime | null
  readonly partitions: readonly PartitionHealth[]
  /** Registries and protocol versions of the network, each from a ledger on, in the order of ledgers. */
  readonly facts: readonly ControlFact[]
}

const known = new WeakMap<IndexTip, Promise<IndexFacts>>()

/** As fresh as the watermark; requests between two tips share one reading. */
export async function indexFacts({ readModel, call: { tag } }: Pick<RouteContext, 'readModel' | 'call'>): Promise<IndexFacts> {
  const tip = await readModel.tip()
  const remembered = known.get(tip)
  if (remembered !== undefined) return remembered
  // Without the signal of the request, because other requests wait for the same reading.
  const read = readIndexFacts(readModel, { tag })
  known.set(tip, read)
  read.catch(() => known.delete(tip)) // the next request reads again; the error is thrown to all waiting requests
  return read
}

async function readIndexFacts(readModel: ReadModel, options: QueryOptions): Promise<IndexFacts> {
  const [[first], partitions, facts] = await Promise.all([
    readModel.query(firstIndexedLedger, {}, options),
    readPartitionHealth(readModel, options),
    readModel.query(controlFacts, {}, options),
  ])
  return { first: first === undefined ? null : { ledger: first.ledger, closeTimeSeconds: first.close_time_seconds }, partitions, facts }
}
