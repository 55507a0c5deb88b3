// Makes the slices of one protocol from ledgers, for tests of folds: extract, discover, route, without a log.
// Every ledger makes a slice in every partition; a test that wants coalescing drops the empty ones.

import { type ContractId, contractBytes, extractLedger, type LedgerExtract, type LedgerRecord, TrackedSet } from '@orrery/ledger'
import {
  balanceName,
  type Network,
  type ProtocolRouting,
  partitionOf,
  type Slice,
  type SliceRecord,
  type TrackedContract,
} from '@orrery/protocol-kit'

/** What slices are made from. */
interface Routed extends Omit<LedgerExtract, 'header'> {
  readonly header: Pick<LedgerExtract['header'], 'sequence' | 'closeTimeSeconds' | 'hash'>
}

export class Slicer {
  readonly #network: Network
  readonly #routing: ProtocolRouting
  readonly #partitions: number
  readonly #set: TrackedSet
  readonly #contracts = new Map<ContractId, TrackedContract>()
  /** By `balanceText`: the holder of a token's balance entry. */
  readonly #holders = new Map<string, TrackedContract>()
  #previous: { ledger: number; closeTimeSeconds: number } | null = null

  constructor(network: Network, routing: ProtocolRouting, partitions: number) {
    this.#network = network
    this.#routing = routing
    this.#partitions = partitions
    this.#set = new TrackedSet(network.passphrase)
    for (const root of routing.roots(network)) this.#track(root)
  }

  /** The ledger's slices, by partition. */
  slices(bytes: Uint8Array): Slice[] {
    return this.#route(this.#extract(bytes))
  }

  /** The slices of a ledger that was extracted with everything in it. */
  feed(extract: LedgerExtract): Slice[] {
    while (this.#discover(extract));
    return this.#route(extract)
  }

  /** The slices that a slice of the only partition has in several: it has every record that any of them takes. */
  divide({ ledger, closeTimeSeconds, ledgerHash, transactions, records }: Slice): Slice[] {
    const header = { sequence: ledger, closeTimeSeconds, hash: ledgerHash }
    const extract = { header, transactions, records: records.map(({ record }) => record) }
    while (this.#discover(extract));
    return this.#route(extract)
  }

  #route({ header, records, transactions }: Routed): Slice[] {
    const owners = records.map((record) => this.#owners(record))
    const touched = new Map<string, Set<number>>()
    records.forEach((record, n) => {
      const partitions = touched.get(`${record.tx}/${record.opIndex}`) ?? new Set()
      for (const owner of owners[n]?.owned ?? []) partitions.add(owner)
      touched.set(`${record.tx}/${record.opIndex}`, partitions)
    })
    const previous = this.#previous
    this.#previous = { ledger: header.sequence, closeTimeSeconds: header.closeTimeSeconds }
    const turned = (seconds: number) =>
      previous === null || Math.floor(previous.closeTimeSeconds / seconds) !== Math.floor(header.closeTimeSeconds / seconds)
    return Array.from({ length: this.#partitions }, (_, partition): Slice => {
      const kept: SliceRecord[] = []
      records.forEach((record, n) => {
        const { owned, shared } = owners[n] ?? { owned: [], shared: false }
        const travels = record.kind === 'event' || record.kind === 'call'
        if (owned.includes(partition)) kept.push({ class: 'owned', record })
        else if (shared) kept.push({ class: 'shared', record })
        else if (travels && touched.get(`${record.tx}/${record.opIndex}`)?.has(partition)) kept.push({ class: 'context', record })
      })
      return {
        network: this.#network.name,
        protocol: this.#routing.protocol,
        partition,
        after: header.sequence - 1,
        ledger: header.sequence,
        closeTimeSeconds: header.closeTimeSeconds,
        hourStart: turned(3_600),
        dayStart: turned(86_400),
        ledgerHash: header.hash,
        rollingHash: '0'.repeat(16),
        transactions,
        records: kept,
      }
    })
  }

  #extract(bytes: Uint8Array): LedgerExtract {
    for (;;) {
      const extract = extractLedger(bytes, this.#set)
      if (!this.#discover(extract)) return extract
    }
  }

  #discover({ records }: Pick<LedgerExtract, 'records'>): boolean {
    let grew = false
    for (const record of records) {
      const source = record.contract === null ? undefined : this.#contracts.get(record.contract)
      if (source === undefined || (record.kind !== 'event' && record.kind !== 'entry')) continue
      for (const found of this.#routing.discover(record, source, this.#network)) grew = this.#track(found) || grew
    }
    return grew
  }

  #track(contract: TrackedContract): boolean {
    let grew = this.#set.addContract(contract.contract)
    for (const token of contract.balances) {
      grew = this.#set.addBalance(token, contract.contract) || grew
      this.#holders.set(balanceText(token, balanceName(token, contract.contract).key), contract)
    }
    if (grew || !this.#contracts.has(contract.contract)) this.#contracts.set(contract.contract, contract)
    return grew
  }

  #owners(record: LedgerRecord): { owned: number[]; shared: boolean } {
    const owned: number[] = []
    let shared = false
    const source = record.contract === null ? undefined : this.#contracts.get(record.contract)
    if (source !== undefined) {
      const route = this.#routing.route(record, source, this.#network)
      shared = route.shared
      const home = route.home ?? source.home
      if (route.owned && home !== null) owned.push(this.#partition(home))
    }
    const holder = 'key' in record ? this.#holders.get(balanceText(record.contract, record.key)) : undefined
    if (holder?.home) {
      const owner = this.#partition(holder.home)
      if (!owned.includes(owner)) owned.push(owner)
    }
    return { owned, shared }
  }

  #partition(home: ContractId): number {
    return partitionOf(contractBytes(home), this.#partitions)
  }
}

function balanceText(token: ContractId, key: Uint8Array): string {
  return `${token} ${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')}`
}
