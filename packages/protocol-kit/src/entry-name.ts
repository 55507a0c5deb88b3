// Names of contract data entries, to read them from an RPC.

import { type Address, type ContractId, sc, writeScVal } from '@orrery/ledger'

export interface EntryName {
  readonly contract: ContractId
  /** XDR of the key `ScVal`. */
  readonly key: Uint8Array
  readonly durability: 'temporary' | 'persistent'
}

const INSTANCE_KEY = writeScVal(sc.instanceKey())

/** The instance of a contract: its code and instance storage; of a token also its name and decimals. */
export function instanceName(contract: ContractId): EntryName {
  return { contract, key: INSTANCE_KEY, durability: 'persistent' }
}

/** A token's `Balance(holder)`, as in the Stellar Asset Contract and the SEP-41 example token of the SDK. */
export function balanceName(token: ContractId, holder: Address): EntryName {
  return { contract: token, key: writeScVal(sc.vec(sc.symbol('Balance'), sc.address(holder))), durability: 'persistent' }
}

/** Unique text of an entry name. */
export function entryText({ contract, key, durability }: EntryName): string {
  return `${contract} ${durability} ${Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('base64')}`
}
