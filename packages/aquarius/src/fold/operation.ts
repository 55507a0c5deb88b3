// An operation as Aquarius sees it: events of its contracts, read and sorted by who told them, and the transfers of tokens around them.

import { type OperationRecords, operationRecords, readTokenTransfer, type SeenTransfer } from '@orrery/fold-kit'
import type { Address, CallRecord, ContractId, TransactionFacts } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import { type PoolEvent, readPoolEvent } from '../chain/pool-events.ts'
import { isProviderFee, type RouterEvent, readRouterEvent } from '../chain/router-events.ts'
import { readShareEvent, type ShareEvent } from '../chain/share-events.ts'
import { silentCalls } from '../chain/silent-calls.ts'
import type { Directory } from './directory.ts'

/** What a pool or its share token tells. */
export type OwnEvent = PoolEvent | ShareEvent

/** An event of one of our contracts, read. */
export interface Seen<E> {
  /** Place among the events of the operation. */
  readonly index: number
  /** Who emitted it. */
  readonly contract: ContractId
  /** The pool that it is about; of a router's event the router. */
  readonly pool: ContractId
  /** `pool` belongs to this partition. */
  readonly owned: boolean
  readonly event: E
}

export interface Operation {
  readonly transaction: TransactionFacts
  readonly opIndex: number
  /** Of pools and share tokens, in their order. */
  readonly events: readonly Seen<OwnEvent>[]
  readonly routers: readonly Seen<RouterEvent>[]
  /** Of any token in their order, shares included: they can be tokens of other pools. */
  readonly transfers: readonly SeenTransfer[]
  /** Contracts that took a cut for wrapping the router, with the place of the event that says so. */
  readonly providers: ReadonlyMap<Address, number>
  readonly calls: readonly CallRecord[]
  /** Changes of ours that no event tells; `index` follows those of all events. */
  readonly silent: readonly Seen<CallRecord>[]
  /** The place of the operation's transaction row is here. */
  readonly writesTransaction: boolean
}

/** The operations that touch this partition, in the order of the ledger. */
export function operationsOf(slice: Slice, directory: Directory): Operation[] {
  return operationRecords(slice).map((records) => read(records, directory))
}

function read({ transaction, opIndex, events: records, calls }: OperationRecords, directory: Directory): Operation {
  const events: Seen<OwnEvent>[] = []
  const routers: Seen<RouterEvent>[] = []
  const transfers: SeenTransfer[] = []
  const providers = new Map<Address, number>()
  for (const { record, owned } of records) {
    const { contract, index } = record
    if (contract === null) continue
    const pool = directory.pool(contract)
    const ofShares = directory.poolOfShares(contract)
    if (pool !== undefined) {
      events.push({ index, contract, pool: contract, owned: pool.owned, event: readPoolEvent(record) })
    } else if (ofShares !== undefined) {
      const event = readShareEvent(record, directory.countsShares(contract))
      events.push({ index, contract, pool: ofShares, owned: directory.pool(ofShares)?.owned ?? false, event })
      const transfer = readTokenTransfer(record)
      if (transfer !== null) transfers.push({ index, token: contract, ...transfer })
    } else if (directory.isRouter(contract)) {
      routers.push({ index, contract, pool: contract, owned, event: readRouterEvent(record) })
    } else if (isProviderFee(record)) {
      providers.set(contract, index)
    } else {
      const transfer = readTokenTransfer(record)
      if (transfer !== null) transfers.push({ index, token: contract, ...transfer })
    }
  }
  return {
    transaction,
    opIndex,
    events,
    routers,
    transfers,
    providers,
    calls: calls.map(({ record }) => record),
    silent: silentOnes(calls, [...events, ...routers], records.length, directory),
    writesTransaction: writes(events),
  }
}

function silentOnes(
  calls: OperationRecords['calls'],
  events: readonly Seen<OwnEvent | RouterEvent>[],
  eventCount: number,
  directory: Directory,
): Seen<CallRecord>[] {
  const tellsRate = (contract: ContractId) =>
    events.some((it) => it.contract === contract && (it.event.name === 'config_rewards' || isAdminEvent(it, 'set_rewards_config')))
  const owned = new Set(calls.filter((call) => call.owned).map(({ record }) => record))
  return silentCalls(
    calls.map(({ record }) => record),
    tellsRate,
  ).flatMap((event) => {
    const { contract, index } = event
    const pool = directory.pool(contract)
    if (pool === undefined && !directory.isRouter(contract)) return []
    return [{ index: eventCount + index, contract, pool: contract, owned: pool?.owned ?? owned.has(event), event }]
  })
}

/** Whether it is an administrative event of that name. */
export function isAdminEvent({ event }: Seen<OwnEvent | RouterEvent>, name: string): boolean {
  return event.name === 'admin' && event.event === name
}

/**
 * One partition writes the row of a transaction: that of the first event of a pool, else of the first owned event, entry or call.
 * Entries of others are not seen here; where two partitions have nothing but entries, both write the same row.
 */
function writes([first]: readonly Seen<OwnEvent>[]): boolean {
  return first === undefined || first.owned
}
