// An operation as Blend sees it: the events of its contracts, read by the role of the contract, and the transfers and calls around them.
// A partition sees every event and call of an operation that touches it, so all of them derive the same actions.

import { type EventPlace, type OperationRecords, operationRecords, readTokenTransfer, type SeenTransfer } from '@orrery/fold-kit'
import { type Address, type ContractId, type EventRecord, i128, matches } from '@orrery/ledger'
import type { BlendDeployment, Slice } from '@orrery/protocol-kit'
import { readCometKey } from '../chain/comet-entries.ts'
import {
  type BackstopEvent,
  type CometEvent,
  type EmitterEvent,
  type FactoryEvent,
  readBackstopEvent,
  readCometEvent,
  readEmitterEvent,
  readFactoryEvent,
} from '../chain/deployment-events.ts'
import { readAuction, readPoolKey } from '../chain/pool-entries.ts'
import { type PoolEvent, readPoolEvent } from '../chain/pool-events.ts'
import type { Auction } from '../chain/values.ts'
import type { Directory } from './directory.ts'

/** An event or call of a contract of Blend. `deployment`: of an emitter and a Comet pool the first that names them. */
export interface Seen extends EventPlace {
  readonly name: string
  readonly deployment: BlendDeployment
}

interface Events {
  readonly pool: PoolEvent
  readonly backstop: BackstopEvent
  readonly factory: FactoryEvent
  readonly emitter: EmitterEvent
  readonly comet: CometEvent
}

type SeenBy<R extends keyof Events> = Events[R] & Seen & { readonly role: R }
export type SeenEvent = { [R in keyof Events]: SeenBy<R> }[keyof Events]

/** The event of that name, or of one of these names, of a contract of that role. */
export type SeenOf<R extends keyof Events, N extends Events[R]['name']> = Extract<SeenBy<R>, { readonly name: N }>

export type Operation = Readonly<ReturnType<typeof read>>

export function auctionName(pool: ContractId, user: Address, type: number | string): string {
  return `${pool} ${user} ${type}`
}

/** The operations that touch this partition, in the order of the ledger. */
export function operationsOf(slice: Slice, directory: Directory): Operation[] {
  return operationRecords(slice).map((records) => read(records, directory))
}

function read(records: OperationRecords, directory: Directory) {
  const { transaction, opIndex, events, calls } = records
  /** Of Blend's contracts, in their order. */
  const seen: SeenEvent[] = []
  /** Pools with an event and an unknown deployment: they predate the index, and none of their entries was read. */
  const unplaced: { contract: ContractId; owned: boolean }[] = []
  /** Of any token, LP tokens included, in their order. */
  const transfers: SeenTransfer[] = []
  for (const { record, owned } of events) {
    const { contract, index } = record
    if (contract === null) continue
    const event = readSeen(record, contract, owned, directory)
    if (event !== null) seen.push(event)
    else if (directory.roleOf(contract) === 'pool') unplaced.push({ contract, owned })
    const transfer = readTokenTransfer(record)
    if (transfer !== null) transfers.push({ index, token: contract, ...transfer })
  }
  return {
    transaction,
    opIndex,
    /** Of every contract, tokens included. */
    eventCount: events.length,
    events: seen,
    unplaced,
    transfers,
    calls: calls.map(({ record }) => record),
    /** Auctions of pools as they were before the operation, by `auctionName`. Those of v1 reach every partition: its fills have no amounts. */
    auctionsBefore: auctionsBefore(records, directory),
    /** LP tokens that the operation minted less those that it burnt, by Comet pool: from the total before and after. */
    lpTokensMade: lpTokensMade(records, directory),
    /** This partition writes the operation's transaction row. */
    writesTransaction: writes(seen),
  }
}

/** Null of a contract that is not Blend's, and of a pool whose deployment is unknown. */
function readSeen(record: EventRecord, contract: ContractId, owned: boolean, directory: Directory): SeenEvent | null {
  const deployment = directory.deploymentOf(contract)
  if (deployment === null) return null
  const place = { index: record.index, contract, owned, deployment }
  const role = directory.roleOf(contract)
  switch (role) {
    case 'pool':
      return { ...readPoolEvent(record, deployment.version), ...place, role }
    case 'backstop':
      return { ...readBackstopEvent(record, deployment.version), ...place, role }
    case 'factory':
      return { ...readFactoryEvent(record), ...place, role }
    case 'emitter':
      return { ...readEmitterEvent(record), ...place, role }
    case 'comet':
      return { ...readCometEvent(record), ...place, role }
    default:
      return null
  }
}

function auctionsBefore({ entries }: OperationRecords, directory: Directory): Map<string, Auction> {
  const auctions = new Map<string, Auction>()
  for (const { record } of entries) {
    if (record.before === null || directory.roleOf(record.contract) !== 'pool') continue
    const key = readPoolKey(record.key)
    const auction = key.kind === 'auction' ? readAuction(record.before) : null
    if (key.kind === 'auction' && auction !== null) auctions.set(auctionName(record.contract, key.owner, key.type), auction)
  }
  return auctions
}

function lpTokensMade({ entries }: OperationRecords, directory: Directory): Map<ContractId, bigint> {
  const made = new Map<ContractId, bigint>()
  for (const { record } of entries) {
    if (record.value === null || directory.roleOf(record.contract) !== 'comet' || readCometKey(record.key).kind !== 'total_shares') continue
    const now = matches(i128, record.value)
    const before = record.before === null ? 0n : matches(i128, record.before)
    if (now !== null && before !== null) made.set(record.contract, now - before)
  }
  return made
}

/**
 * One partition writes the row of a transaction: that of the first event of a pool (its part of the backstop included), else of the first
 * event of Blend, else of the first owned entry or call. Entries of others are not seen here; where two partitions have nothing but
 * entries, both write the same row.
 */
function writes(events: readonly SeenEvent[]): boolean {
  const first = events.find(isOfPool) ?? events[0]
  return first === undefined || first.owned
}

/** A pool's own event, or one of the backstop about that pool. */
function isOfPool(seen: SeenEvent): boolean {
  return seen.role === 'pool' || (seen.role === 'backstop' && 'pool' in seen && seen.pool !== null)
}
