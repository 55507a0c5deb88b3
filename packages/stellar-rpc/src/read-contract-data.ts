// Reads the present values of contract data by contract and key.

import type { ContractId } from '@orrery/ledger'
import { contractDataKey, contractDataValue } from './contract-data.ts'
import type { CallOptions, Rpc } from './rpc.ts'

export interface ContractDataName {
  readonly contract: ContractId
  /** XDR of the key `ScVal`. */
  readonly key: Uint8Array
  readonly durability: 'temporary' | 'persistent'
}

export interface ContractDataNow extends ContractDataName {
  /** XDR of the value `ScVal`. */
  readonly value: Uint8Array
  /** The value is the one at the end of this ledger. */
  readonly asOfLedger: number
  /** The ledger that wrote the value. */
  readonly lastModifiedLedger: number
  /** Last live ledger as of then; 0 where it is archived. */
  readonly liveUntilLedger: number
}

/** In the order of the names. Entries that do not exist are left out. Errors: those of `Rpc`. */
export async function readContractData(
  rpc: Rpc,
  names: readonly ContractDataName[],
  options: CallOptions = {},
): Promise<readonly ContractDataNow[]> {
  const keys = names.map(({ contract, key, durability }) => contractDataKey(contract, key, durability))
  const nameOf = new Map(keys.map((key, n) => [textOf(key), names[n]]))
  const { entries } = await rpc.getLedgerEntries(keys, options)
  return entries.flatMap((entry) => {
    const name = nameOf.get(textOf(entry.key))
    if (name === undefined) return []
    const { asOfLedger, lastModifiedLedger, liveUntilLedger } = entry
    return [{ ...name, value: contractDataValue(entry), asOfLedger, lastModifiedLedger, liveUntilLedger: liveUntilLedger ?? 0 }]
  })
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('base64')
}
