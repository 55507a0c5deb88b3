// An operation as Aquarius sees it: events of its contracts, read and sorted by the contract that emitted them, and the transfers of tokens around them.

import { type OperationRecords, operationRecords, readTokenTransfer, type Seen, type SeenTransfer } from '@orrery/fold-kit'
import type { Address, CallRecord, ContractId } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import { type PoolEvent, readPoolEvent } from '../chain/pool-events.ts'
import { isProviderFee, type RouterEvent, readRouterEvent } from '../chain/router-events.ts'
import { readShareEvent, type ShareEvent } from '../chain/share-events.ts'
import { silentCalls } from '../chain/silent-calls.ts'
import type { Directory } from './directory.ts'

/** An event of a pool or its share token, with its place and its pool. `owned`: the pool belongs to this partition. */
export type PoolSeen<E> = Seen<E> & { readonly pool: ContractId }
export type OwnEvent = PoolSeen<PoolEvent | ShareEvent>

/** A change by a call without an event. */
export interface SilentCall {
  /** Its place, behind all events of the operation. */
  readonly index: number
  readonly contract: ContractId
  /** Its contract belongs to this partition. */
  readonly owned: boolean
  readonly call: CallRecord
}

export type Operation = Readonly<ReturnType<typeof read>>

/** The operations that touch this partition, in the order of the ledger. */
export function operationsOf(slice: Slice, directory: Directory): Operation[] {
  return operationRecords(slice).map((records) => read(records, directory))
}

function read({ transaction, opIndex, events: records, calls }: OperationRecords, directory: Directory) {
  /** Of pools and share tokens, in their order. */
  const events: OwnEvent[] = []
  const routers: Seen<RouterEvent>[] = []
  /** Of any token in their order, shares included: they can be tokens of other pools. */
  const transfers: SeenTransfer[] = []
  /** Contracts that took a cut for wrapping the router, with the place of the event that shows it. */
  const providers = new Map<Address, number>()
  for (const { record, owned } of records) {
    const { contract, index } = record
    if (contract === null) continue
    const pool = directory.pool(contract)
    const ofShares = directory.poolOfShares(contract)
    if (pool !== undefined) {
      events.push({ ...readPoolEvent(record), index, contract, pool: contract, owned: pool.owned })
    } else if (ofShares === undefined && directory.isRouter(contract)) {
      routers.push({ ...readRouterEvent(record), index, contract, owned })
    } else if (ofShares === undefined && isProviderFee(record)) {
      providers.set(contract, index)
    } else {
      if (ofShares !== undefined) {
        const event = readShareEvent(record, directory.countsShares(contract))
        events.push({ ...event, index, contract, pool: ofShares, owned: directory.pool(ofShares)?.owned ?? false })
      }
      const transfer = readTokenTransfer(record)
      if (transfer !== null) transfers.push({ index, token: contract, ...transfer })
    }
  }
  const hasRateEvent = (contract: ContractId) =>
    [...events, ...routers].some(
      (it) => it.contract === contract && (it.name === 'config_rewards' || isAdminEvent(it, 'set_rewards_config')),
    )
  return {
    transaction,
    opIndex,
    events,
    routers,
    transfers,
    providers,
    calls: calls.map(({ record }) => record),
    silent: silentCalls(calls, hasRateEvent).flatMap(({ record: call, owned }): SilentCall | [] => {
      const { contract, index } = call
      const pool = directory.pool(contract)
      if (pool === undefined && !directory.isRouter(contract)) return []
      return { index: records.length + index, contract, owned: pool?.owned ?? owned, call }
    }),
    /** The place of the operation's transaction row is here. */
    writesTransaction: writes(events),
  }
}

/** Whether it is an administrative event of that name. */
export function isAdminEvent(seen: OwnEvent | Seen<RouterEvent>, name: string): boolean {
  return seen.name === 'admin' && seen.event === name
}

/**
 * One partition writes the row of a transaction: that of the first event of a pool, else of the first owned event, entry or call.
 * Entries of others are not seen here; where two partitions have nothing but entries, both write the same row.
 */
function writes([first]: readonly OwnEvent[]): boolean {
  return first === undefined || first.owned
}
