// Ledgers of one partition, and their slices: coalesced, repeated, or with a gap.

import { type ControlRecord, EMPTY_ROLLING_HASH, encodeSlice, sliceRollingHash } from '@orrery/event-log'
import { contractId, encodeStrkey } from '@orrery/ledger'
import type { Network, Slice, SliceRecord } from '@orrery/protocol-kit'
import { networkFromJson } from '@orrery/protocols'
import { registryText } from '@orrery/registry'

export const NETWORK = { name: 'test', passphrase: 'A network ; for tests' } as const
export const FIRST_LEDGER = 101
const CONTRACTS = [1, 2, 3].map((byte) => contractId(new Uint8Array(32).fill(byte)))
const MINUTES_BETWEEN_LEDGERS = 11

/** Contracts (0 to 2) that each ledger has events of, from ledger 101 on. */
export type TestLedgers = readonly (readonly number[])[]

export const TEST_LEDGERS: TestLedgers = [
  [0],
  [],
  [],
  [1, 1],
  [0, 2],
  [],
  [],
  [],
  [2],
  [],
  [0],
  [1],
  [],
  [],
  [],
  [],
  [0, 1, 2],
  [],
  [2, 2, 2],
  [],
  [],
  [0],
  [],
  [],
]

export const lastLedgerOf = (ledgers: TestLedgers): number => FIRST_LEDGER + ledgers.length - 1

/**
 * The slices of `ledgers` for the ledgers (after, last]. A ledger with events makes a slice; so does the first ledger of an hour, and a quiet
 * ledger that `cuts` names. The others are coalesced.
 */
export function slicesOf(
  ledgers: TestLedgers,
  options: {
    readonly after?: number
    readonly last?: number
    readonly cuts?: (ledger: number) => boolean
    readonly partition?: number
  } = {},
): Slice[] {
  const { after = FIRST_LEDGER - 1, last = lastLedgerOf(ledgers), cuts = () => false, partition = 0 } = options
  const slices: Slice[] = []
  let rollingHash = EMPTY_ROLLING_HASH
  let covered = after
  let hourBefore = -1
  for (const [n, contracts] of ledgers.entries()) {
    const ledger = FIRST_LEDGER + n
    const closeTimeSeconds = 1_800_000_000 + n * MINUTES_BETWEEN_LEDGERS * 60
    const hour = Math.floor(closeTimeSeconds / 3600)
    const hourStart = hour !== hourBefore
    hourBefore = hour
    const records = contracts.map((contract, index) => eventOf(CONTRACTS[contract] ?? '', index))
    const facts = {
      network: NETWORK.name,
      protocol: 'soroswap' as const,
      partition,
      after: covered,
      ledger,
      closeTimeSeconds,
      hourStart,
      dayStart: n === 0,
      ledgerHash: ledger.toString(16).padStart(64, '0'),
      transactions:
        records.length === 0
          ? []
          : [
              {
                hash: ledger.toString(16).padStart(64, 'f'),
                txOrder: 1,
                source: SOURCE,
                feeSource: null,
                innerHash: null,
                feeCharged: null,
                memo: null,
              },
            ],
      records,
    }
    rollingHash = sliceRollingHash(rollingHash, facts)
    if (ledger <= after || ledger > last) continue
    if (records.length === 0 && !hourStart && ledger !== last && !cuts(ledger)) continue
    slices.push({ ...facts, rollingHash })
    covered = ledger
  }
  return slices
}

/** The records of the control topic for the ledgers from `from` on. */
export function controlRecordsOf(ledgers: TestLedgers, from = FIRST_LEDGER): ControlRecord[] {
  return slicesOf(ledgers, { after: from - 1, cuts: () => true }).map(
    ({ ledger, ledgerHash: hash, closeTimeSeconds, hourStart, dayStart }) => ({
      kind: 'ledger',
      ledger,
      hash,
      closeTimeSeconds,
      hourStart,
      dayStart,
    }),
  )
}

export const START: ControlRecord = {
  kind: 'start',
  network: NETWORK.name,
  passphrase: NETWORK.passphrase,
  firstLedger: FIRST_LEDGER,
  partitions: { soroswap: 2 },
}

/** Names no contract. */
export const EMPTY_REGISTRY: Network = networkFromJson({
  network: NETWORK.name,
  passphrase: NETWORK.passphrase,
  first_ledger: FIRST_LEDGER,
  protocols: {},
})

/** The registry as ingest records it after the start record. */
export const REGISTRY: ControlRecord = { kind: 'registry', ledger: FIRST_LEDGER, document: registryText(EMPTY_REGISTRY) }

export const encoded = (slices: readonly Slice[]): Uint8Array[] => slices.flatMap((slice) => encodeSlice(slice))

const SOURCE = encodeStrkey('G', new Uint8Array(32).fill(9))

function eventOf(contract: string, index: number): SliceRecord {
  const nothing = new Uint8Array([0, 0, 0, 0])
  return { class: 'owned', record: { kind: 'event', tx: 0, opIndex: 0, index, contract, type: 'contract', topics: nothing, data: nothing } }
}
