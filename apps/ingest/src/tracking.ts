// The contracts that ingest tracks, by protocol, and the token balances of pools. Nothing is ever removed.
// Several protocols may track the same contract (an oracle, a price pool), each in a role of its own.

import { type ContractId, contractBytes, TrackedSet } from '@orrery/ledger'
import { balanceName, type Network, type ProtocolId, type ProtocolRouting, partitionOf, type TrackedContract } from '@orrery/protocol-kit'

/** One protocol's contracts. */
export class ProtocolTracking {
  readonly routing: ProtocolRouting
  readonly partitions: number
  readonly contracts = new Map<ContractId, TrackedContract>()
  /** Token -> key of its `Balance(holder)` entry -> the pool that holds. */
  readonly #balances = new Map<ContractId, Map<string, TrackedContract>>()
  readonly #partitionOfHome = new Map<ContractId, number>()

  constructor(routing: ProtocolRouting, partitions: number) {
    this.routing = routing
    this.partitions = partitions
  }

  /** The pool whose balance of `token` the entry with this key is, if that balance is tracked. */
  holderOf(token: ContractId, key: Uint8Array): TrackedContract | undefined {
    return this.#balances.get(token)?.get(keyText(key))
  }

  /** The partition that owns contracts of this home. */
  partitionOfHome(home: ContractId): number {
    let partition = this.#partitionOfHome.get(home)
    if (partition === undefined) {
      partition = partitionOf(contractBytes(home), this.partitions)
      this.#partitionOfHome.set(home, partition)
    }
    return partition
  }

  set(contract: TrackedContract): void {
    this.contracts.set(contract.contract, contract)
    for (const token of contract.balances) {
      const holders = this.#balances.get(token) ?? new Map<string, TrackedContract>()
      holders.set(keyText(balanceName(token, contract.contract).key), contract)
      this.#balances.set(token, holders)
    }
  }
}

/** The contracts of all protocols, and the set that extraction uses. */
export class Tracking {
  #network: Network
  readonly protocols: readonly ProtocolTracking[]
  readonly set: TrackedSet
  readonly #byProtocol: ReadonlyMap<ProtocolId, ProtocolTracking>

  constructor(network: Network, protocols: readonly ProtocolTracking[]) {
    this.#network = network
    this.set = new TrackedSet(network.passphrase)
    this.protocols = protocols
    this.#byProtocol = new Map(protocols.map((protocol) => [protocol.routing.protocol, protocol]))
  }

  /** The registry as of the ledger that is being read. */
  get network(): Network {
    return this.#network
  }

  /** Switches to the registry of a later ledger. */
  useRegistry(network: Network): void {
    this.#network = network
  }

  /**
   * Tracks a contract. Returns its new value when the contract was unknown or holds more tokens than was known, else null.
   * Other facts keep their first value, so that two factories that name one pool cannot overwrite each other.
   */
  add(contract: TrackedContract): TrackedContract | null {
    const protocol = this.#byProtocol.get(contract.protocol)
    if (!protocol) return null // a protocol of another build: this one does not write its topics
    const known = protocol.contracts.get(contract.contract)
    const more = contract.balances.filter((token) => !known?.balances.includes(token))
    if (known && more.length === 0) return null
    const now = known ? { ...known, balances: [...known.balances, ...more] } : contract
    protocol.set(now)
    this.set.addContract(now.contract)
    for (const token of more) this.set.addBalance(token, now.contract)
    return now
  }
}

function keyText(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1')
}
