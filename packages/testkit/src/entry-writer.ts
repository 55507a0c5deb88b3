// The XDR of ledger keys, entries and their changes.

import { hash } from 'node:crypto'
import { type Address, decodeStrkey, putScVal, writeScAddress, XdrWriter } from '@orrery/ledger'
import type { ChangeSpec, EntryKeySpec } from './ledger-spec.ts'
import { testContract } from './test-names.ts'

/** The asset contract that fee events come from. */
export const XLM_CONTRACT = testContract('XLM')

const CREATED = 0
const UPDATED = 1
const REMOVED = 2
const STATE = 3
const RESTORED = 4
const CONTRACT_DATA = 6
const TTL = 9

/** LedgerKey of contract data. */
export function putDataKey(writer: XdrWriter, key: EntryKeySpec): void {
  writer.u32(CONTRACT_DATA)
  putKeyParts(writer, key)
}

/** LedgerKey of the TTL of contract data. */
export function putTtlKey(writer: XdrWriter, key: EntryKeySpec): void {
  writer.u32(TTL).raw(keyHash(key))
}

function putKeyParts(writer: XdrWriter, { contract, key, durability }: EntryKeySpec): void {
  writeScAddress(writer, contract)
  putScVal(writer, key)
  writer.u32(durability === 'temporary' ? 0 : 1)
}

function keyHash(key: EntryKeySpec): Uint8Array {
  const writer = new XdrWriter()
  putDataKey(writer, key)
  return hash('sha256', writer.done(), 'buffer')
}

/** AccountId or the account of a muxed one, as PublicKey. */
function putPublicKey(writer: XdrWriter, address: Address): void {
  writer.u32(0).raw(decodeStrkey(address).payload.subarray(0, 32))
}

/** LedgerEntryChange[] of an operation. */
export function putChanges(writer: XdrWriter, changes: readonly ChangeSpec[], ledger: number): void {
  const steps = changes.flatMap((change) => stepsOf(change, ledger))
  writer.array(steps, (step) => step(writer))
}

type Step = (writer: XdrWriter) => void

function stepsOf(spec: ChangeSpec, ledger: number): Step[] {
  const data = (type: number, value: Parameters<typeof putScVal>[1]): Step => {
    return (writer) => {
      // LedgerEntry: lastModified, data, ext. ContractDataEntry begins with an ext of its own.
      writer
        .u32(type)
        .u32(type === STATE ? ledger - 1 : ledger)
        .u32(CONTRACT_DATA)
        .u32(0)
      putKeyParts(writer, spec)
      putScVal(writer, value)
      writer.u32(0)
    }
  }
  const ttl = (type: number, liveUntil: number): Step => {
    return (writer) => void writer.u32(type).u32(ledger).u32(TTL).raw(keyHash(spec)).u32(liveUntil).u32(0)
  }
  const ttlIf = (type: number, liveUntil: number | undefined): Step[] => (liveUntil === undefined ? [] : [ttl(type, liveUntil)])
  const removed: Step = (writer) => {
    writer.u32(REMOVED)
    putDataKey(writer, spec)
  }
  const ttlRemoved: Step = (writer) => {
    writer.u32(REMOVED)
    putTtlKey(writer, spec)
  }
  switch (spec.change) {
    case 'created':
      // The order of TTLs and data in core's output has no meaning.
      return [...ttlIf(CREATED, spec.liveUntil), data(CREATED, spec.value)]
    case 'updated':
      return [
        data(STATE, spec.before),
        data(UPDATED, spec.value),
        ...(spec.liveUntil === undefined ? [] : [ttl(STATE, ledger), ttl(UPDATED, spec.liveUntil)]),
      ]
    case 'removed':
      return [data(STATE, spec.before), removed, ttl(STATE, ledger), ttlRemoved]
    case 'restored': {
      const restored = spec.before ?? spec.value
      if (restored === null) throw new Error('An entry that is restored and removed needs the restored value as `before`.')
      const then = spec.value === null ? [removed] : spec.before === undefined ? [] : [data(UPDATED, spec.value)]
      return [data(RESTORED, restored), ...then, ...ttlIf(RESTORED, spec.liveUntil)]
    }
    case 'ttl':
      return spec.from === undefined ? [ttl(CREATED, spec.liveUntil)] : [ttl(STATE, spec.from), ttl(UPDATED, spec.liveUntil)]
  }
}

/** The change of an account's balance by a fee: STATE and UPDATED. */
export function putFeeChanges(writer: XdrWriter, account: Address, ledger: number): void {
  writer.array([STATE, UPDATED], (type) => {
    writer.u32(type).u32(ledger).u32(0)
    putPublicKey(writer, account)
    // balance, seqNum | numSubEntries | no inflationDest | flags | homeDomain "" | thresholds | no signers | ext | ext
    writer.i64(10_000_000n).i64(1n).u32(0).u32(0).u32(0).u32(0).u32(0x01000000).u32(0).u32(0).u32(0)
  })
}
