import {
  type CallRecord,
  contractId,
  type EntryRecord,
  type EventRecord,
  type EvictionRecord,
  type LedgerExtract,
  type LedgerRecord,
  type TtlRecord,
} from '@orrery/ledger'
import { balanceName, type Network, type ProtocolRouting, partitionOf, type Route, type TrackedContract } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { routeLedger } from './route.ts'
import { ProtocolTracking, Tracking } from './tracking.ts'

const PARTITIONS = 4
const network = { name: 'test', passphrase: 'test', firstLedger: 1 } as unknown as Network

const idOf = (n: number): string => contractId(new Uint8Array(32).fill(n))
/** Home partitions by xxhash64. */
const homeOf = (contract: string): number => {
  const n = Array.from({ length: 64 }, (_, one) => one).find((one) => idOf(one) === contract) ?? 0
  return partitionOf(new Uint8Array(32).fill(n), PARTITIONS)
}
/** Two pools with different homes, and one with the home of the first. */
const poolA = idOf(1)
const poolB = Array.from({ length: 60 }, (_, n) => idOf(n + 2)).find((id) => homeOf(id) !== homeOf(poolA)) ?? ''
const oracle = idOf(62)
const token = idOf(63)
const stranger = idOf(0)

const contract = (id: string, role: string, home: string | null, balances: readonly string[] = []): TrackedContract => ({
  protocol: 'soroswap',
  contract: id,
  role,
  home,
  balances,
  fromLedger: 1,
})

/** Pools own their records; the oracle is shared; key 1 of pool A, like an instance, is both. */
const routing: ProtocolRouting = {
  protocol: 'soroswap',
  roots: () => [],
  discover: () => [],
  bootstrap: () => [],
  route(record, source): Route {
    if (source.role === 'oracle') return { owned: false, shared: true }
    return { owned: true, shared: source.contract === poolA && 'key' in record && record.key[0] === 1 }
  },
}

function protocolWith(...contracts: readonly TrackedContract[]): ProtocolTracking {
  const protocol = new ProtocolTracking(routing, PARTITIONS)
  const tracking = new Tracking(network, [protocol])
  for (const one of contracts) tracking.add(one)
  return protocol
}

const protocol = protocolWith(
  contract(poolA, 'pair', poolA, [token]),
  contract(poolB, 'pair', poolB, [token, poolA]),
  contract(oracle, 'oracle', null),
)

const balanceKey = (holder: string): Uint8Array => balanceName(token, holder).key
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
const event = (id: string | null, tx: number, opIndex = 0, index = 0): EventRecord => ({
  kind: 'event',
  tx,
  opIndex,
  index,
  contract: id,
  type: 'contract',
  topics: bytes(),
  data: bytes(),
})
const call = (id: string, tx: number, opIndex = 0): CallRecord => ({
  kind: 'call',
  tx,
  opIndex,
  index: 0,
  parent: -1,
  authorizer: null,
  contract: id,
  function: 'f',
  args: bytes(),
})
const entry = (id: string, key: Uint8Array, tx: number, opIndex = 0): EntryRecord => ({
  kind: 'entry',
  tx,
  opIndex,
  index: 0,
  change: 'created',
  contract: id,
  key,
  durability: 'persistent',
  value: bytes(9),
  before: null,
  liveUntil: null,
})
const ttl = (id: string, key: Uint8Array, tx: number): TtlRecord => ({
  kind: 'ttl',
  tx,
  opIndex: 0,
  contract: id,
  key,
  durability: 'persistent',
  liveUntil: 5,
})
const evicted = (id: string, key: Uint8Array): EvictionRecord => ({
  kind: 'evicted',
  tx: -1,
  opIndex: 0,
  contract: id,
  key,
  durability: 'persistent',
})

function extractOf(records: readonly LedgerRecord[], transactions = 4): LedgerExtract {
  return {
    header: { sequence: 1, closeTimeSeconds: 0, hash: '', previousHash: '', protocolVersion: 23 },
    transactions: Array.from({ length: transactions }, (_, n) => ({
      hash: `${n}`,
      txOrder: n + 1,
      source: 'G',
      feeSource: null,
      feeCharged: null,
      memo: null,
      innerHash: null,
    })),
    records,
  }
}

/** Class and record of everything in each partition's share, transactions resolved to their hashes. */
function routed(records: readonly LedgerRecord[], tracking = protocol) {
  return routeLedger(extractOf(records), tracking, network).map((share) =>
    share.records.map(({ class: recordClass, record }) => ({
      class: recordClass,
      hash: share.transactions[record.tx]?.hash,
      record: { ...record, tx: 0 },
    })),
  )
}
const plain = (record: LedgerRecord, recordClass: string) => ({
  class: recordClass,
  hash: record.tx < 0 ? undefined : `${record.tx}`,
  record: { ...record, tx: 0 },
})

describe('a record of a pool', () => {
  it('a record of a pool is owned by the partition of its home and by no other', () => {
    for (const record of [event(poolA, 1), call(poolA, 1), entry(poolA, bytes(7), 1), ttl(poolA, bytes(7), 1), evicted(poolA, bytes(7))]) {
      const shares = routed([record])
      expect(shares[homeOf(poolA)]).toEqual([plain(record, 'owned')])
      expect(shares.filter((share) => share.length > 0)).toHaveLength(1)
    }
  })

  it('a record that is owned and shared is once in its own partition, as owned, and in all others as shared', () => {
    const record = entry(poolA, bytes(1), 2)
    for (const [partition, share] of routed([record]).entries()) {
      expect(share).toEqual([plain(record, partition === homeOf(poolA) ? 'owned' : 'shared')])
    }
  })
})

describe('the rest of an operation', () => {
  it('all events and calls of an operation go to every partition that the operation touches, in their order', () => {
    const records = [
      event(token, 1, 0, 0),
      event(poolA, 1, 0, 1),
      event(poolB, 1, 0, 2),
      event(null, 1, 0, 3),
      call(stranger, 1),
      call(poolA, 1),
    ]
    const shares = routed(records)
    const classes = (partition: number) => shares[partition]?.map((one) => one.class)
    expect(shares[homeOf(poolA)]?.map(({ record }) => record)).toEqual(records.map((record) => ({ ...record, tx: 0 })))
    expect(classes(homeOf(poolA))).toEqual(['context', 'owned', 'context', 'context', 'context', 'owned'])
    expect(classes(homeOf(poolB))).toEqual(['context', 'context', 'owned', 'context', 'context', 'context'])
    expect(shares.filter((share) => share.length > 0)).toHaveLength(2)
  })

  it('a shared record does not bring its operation along: an oracle would bring every operation to all partitions', () => {
    const records = [event(oracle, 1), event(token, 1, 0, 1), call(stranger, 1)]
    for (const share of routed(records)) expect(share).toEqual([plain(event(oracle, 1), 'shared')])
  })

  it('context is of one operation, not of its transaction', () => {
    const records = [event(poolA, 1, 0), event(token, 1, 1)]
    expect(routed(records)[homeOf(poolA)]).toEqual([plain(event(poolA, 1, 0), 'owned')])
  })

  it('context has no entries of other owners', () => {
    const shares = routed([event(poolA, 1), entry(poolB, bytes(7), 1)])
    expect(shares[homeOf(poolA)]?.map(({ record }) => record.kind)).toEqual(['event'])
  })
})

describe("a pool's token balance", () => {
  it("a pool's token balance is owned by the pool's home, for any token, with the operation that moved it", () => {
    const balance = entry(token, balanceKey(poolB), 1)
    const donation = event(token, 1)
    expect(routed([balance, donation])[homeOf(poolB)]).toEqual([plain(balance, 'owned'), plain(donation, 'context')])
    expect(routed([balance, donation]).filter((share) => share.length > 0)).toHaveLength(1)
  })

  it("expiry and eviction of a pool's token balance reach its partition", () => {
    const records = [ttl(token, balanceKey(poolB), 1), evicted(token, balanceKey(poolB))]
    expect(routed(records)[homeOf(poolB)]?.map((one) => one.class)).toEqual(['owned', 'owned'])
  })

  it("a pool's balance in shares of another pool goes to the homes of both pools", () => {
    const balance = entry(poolA, balanceKey(poolB), 1)
    const shares = routed([balance])
    expect(shares[homeOf(poolA)]).toEqual([plain(balance, 'owned')])
    expect(shares[homeOf(poolB)]).toEqual([plain(balance, 'owned')])
  })

  it('a token balance of another account goes to no partition', () => {
    expect(routed([entry(token, balanceKey(stranger), 1)]).flat()).toEqual([])
  })

  it("a pool's token balance that becomes known later is tracked from then on", () => {
    const growing = protocolWith(contract(poolA, 'pair', poolA))
    const balance = entry(token, balanceKey(poolA), 1)
    expect(routed([balance], growing).flat()).toEqual([])
    new Tracking(network, [growing]).add(contract(poolA, 'pair', poolA, [token]))
    expect(routed([balance], growing)[homeOf(poolA)]).toEqual([plain(balance, 'owned')])
  })
})

describe('any ledger', () => {
  const contracts = fc.constantFrom(poolA, poolB, oracle, token, stranger)
  const keys = fc.constantFrom(bytes(1), bytes(7), balanceKey(poolA), balanceKey(poolB))
  const tx = fc.integer({ min: 0, max: 3 })
  const op = fc.integer({ min: 0, max: 1 })
  const record: fc.Arbitrary<LedgerRecord> = fc.oneof(
    fc.tuple(contracts, tx, op).map(([id, n, opIndex]) => event(id, n, opIndex)),
    fc.tuple(contracts, tx, op).map(([id, n, opIndex]) => call(id, n, opIndex)),
    fc.tuple(contracts, keys, tx, op).map(([id, key, n, opIndex]) => entry(id, key, n, opIndex)),
    fc.tuple(contracts, keys).map(([id, key]) => evicted(id, key)),
  )
  /** Records get a serial number as index, so that equal records are distinguishable. */
  const ledgers = fc.array(record, { maxLength: 25 }).map((records) => records.map((one, n) => ({ ...one, index: n }) as LedgerRecord))

  it('any ledger gives each partition a record at most once, in the order of the ledger, with its own transaction', () => {
    fc.assert(
      fc.property(ledgers, (records) => {
        for (const share of routeLedger(extractOf(records), protocol, network)) {
          const indexes = share.records.map((one) => (one.record as EventRecord).index)
          expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b))
          for (const { record: routedRecord } of share.records) {
            const original = records[(routedRecord as EventRecord).index]
            expect(share.transactions[routedRecord.tx]?.hash).toBe(original && original.tx >= 0 ? `${original.tx}` : undefined)
          }
          expect(new Set(share.records.filter((one) => one.record.tx >= 0).map((one) => one.record.tx)).size).toBe(
            share.transactions.length,
          )
        }
      }),
    )
  })

  it('any ledger has exactly one owner for every record of a pool and for every balance of one, and shared records reach all partitions', () => {
    fc.assert(
      fc.property(ledgers, (records) => {
        const shares = routeLedger(extractOf(records), protocol, network)
        const holders = (index: number, recordClass: string): number =>
          shares.filter((share) => share.records.some((one) => one.class === recordClass && (one.record as EventRecord).index === index))
            .length
        for (const [n, one] of records.entries()) {
          const key = 'key' in one ? Buffer.from(one.key).toString('hex') : ''
          const ownHome = one.contract === poolA || one.contract === poolB ? [homeOf(one.contract)] : []
          const heldBy = [poolA, poolB].filter(
            (pool) =>
              (one.contract === token || (pool === poolB && one.contract === poolA)) &&
              key === Buffer.from(balanceKey(pool)).toString('hex'),
          )
          const owners = new Set([...ownHome, ...heldBy.map(homeOf)])
          expect(holders(n, 'owned')).toBe(owners.size)
          if (one.contract === oracle) expect(holders(n, 'shared')).toBe(PARTITIONS)
        }
      }),
    )
  })
})
