// An operation with the events of Soroswap's contracts, read and sorted by emitter, and the transfers of tokens around them.

import { type OperationRecords, operationRecords, readTokenTransfer, type Seen, type SeenTransfer } from '@orrery/fold-kit'
import type { Slice } from '@orrery/protocol-kit'
import { type FactoryEvent, type PairEvent, type RouterEvent, readFactoryEvent, readPairEvent, readRouterEvent } from '../chain/events.ts'
import type { Directory } from './directory.ts'

export type Operation = ReturnType<typeof read>

/** The operations that touch this partition, in the order of the ledger. */
export function operationsOf(slice: Slice, directory: Directory): Operation[] {
  return operationRecords(slice).map((records) => read(records, directory))
}

function read({ transaction, opIndex, events, calls }: OperationRecords, directory: Directory) {
  const pairs: Seen<PairEvent>[] = []
  const routers: Seen<RouterEvent>[] = []
  const factories: Seen<FactoryEvent>[] = []
  /** Of any token in their order, LP shares included: they can be tokens of other pairs. */
  const transfers: SeenTransfer[] = []
  for (const { record, owned } of events) {
    const contract = record.contract
    if (contract === null) continue
    const place = { index: record.index, contract, owned }
    if (directory.isPair(contract)) {
      const event = readPairEvent(record)
      pairs.push({ ...event, ...place })
      if (event.name === 'transfer' && event.from !== null && event.to !== null) {
        transfers.push({ index: record.index, token: contract, from: event.from, to: event.to, amount: event.shares })
      }
    } else if (directory.isRouter(contract)) routers.push({ ...readRouterEvent(record), ...place })
    else if (directory.isFactory(contract)) factories.push({ ...readFactoryEvent(record), ...place })
    else {
      const transfer = readTokenTransfer(record)
      if (transfer !== null) transfers.push({ index: record.index, token: contract, ...transfer })
    }
  }
  return {
    transaction,
    opIndex,
    pairs,
    routers,
    factories,
    transfers,
    calls: calls.map(({ record }) => record),
    /** This partition writes the transaction's row. */
    writesTransaction: writes(pairs),
  }
}

/**
 * One partition writes the row of a transaction: that of the first event of a pair, else of the first owned event, entry or call.
 * A partition does not see the entries of others; where two partitions have only entries, both write the same row.
 */
function writes([first]: readonly Seen<PairEvent>[]): boolean {
  return first === undefined || first.owned
}
