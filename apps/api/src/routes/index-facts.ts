// Facts of the index that every answer needs: read once for each tip, and the reports of the adapters as often as the tip is.

import type { ControlFact, IndexTip, LedgerTime, PartitionHealth, QueryOptions, ReadModel } from '@orrery/read-model'
import { controlFacts, firstIndexedLedger } from '@orrery/read-model/queries'
import { outOfBackground } from '@orrery/service-kit'
import type { RouteContext } from '../route.ts'

type OfTip = Pick<IndexFacts, 'first' | 'facts'>

interface IndexFacts {
  /** Null before the first ledger. */
  readonly first: LedgerTime | null
  readonly partitions: readonly PartitionHealth[]
  /** Registries and protocol versions of the network, each from a ledger on, in the order of ledgers. */
  readonly facts: readonly ControlFact[]
}

const known = new WeakMap<IndexTip, Promise<OfTip>>()

/** As fresh as the watermark; requests between two readings of it share one reading. */
export async function indexFacts({ readModel, call: { tag } }: Pick<RouteContext, 'readModel' | 'call'>): Promise<IndexFacts> {
  const [ofTip, partitions] = await Promise.all([
    readModel.tip().then((tip) => factsOfTip(tip, readModel, { tag })),
    readModel.partitionHealth(),
  ])
  return { ...ofTip, partitions }
}

/** What changes with the tip only: facts are written before the ledgers for which they apply. */
function factsOfTip(tip: IndexTip, readModel: ReadModel, options: QueryOptions): Promise<OfTip> {
  const remembered = known.get(tip)
  if (remembered !== undefined) return remembered
  // Without the signal of the request, because other requests wait for the same reading.
  const read = outOfBackground(() => readFacts(readModel, options))
  known.set(tip, read)
  read.catch(() => known.delete(tip)) // the next request reads again; the error is thrown to all waiting requests
  return read
}

async function readFacts(readModel: ReadModel, options: QueryOptions): Promise<OfTip> {
  const [[first], facts] = await Promise.all([readModel.query(firstIndexedLedger, {}, options), readModel.query(controlFacts, {}, options)])
  return { first: first === undefined ? null : { ledger: first.ledger, closeTimeSeconds: first.close_time_seconds }, facts }
}
