// Entries that all token contracts share: the instance with its metadata, and balances.
// Source: soroban-token-sdk and the Stellar Asset Contract of soroban-env-host.

import {
  type Address,
  address,
  type ContractId,
  type Instance,
  i128,
  type LedgerRecord,
  matches,
  oneOf,
  readInstance,
  sc,
  string,
  struct,
  u32,
  variant,
  writeScVal,
} from '@orrery/ledger'
import { isInstanceKey } from '@orrery/pricing'

/** Whether a record is about a contract's instance: its value, its TTL, or its eviction. */
export function isInstanceRecord(record: LedgerRecord): boolean {
  return (record.kind === 'entry' || record.kind === 'ttl' || record.kind === 'evicted') && isInstanceKey(record.key)
}

/** `METADATA` of soroban-token-sdk and of the Stellar Asset Contract. */
export interface TokenMetadata {
  readonly decimals: number
  readonly name: string
  readonly symbol: string
}

const METADATA = writeScVal(sc.symbol('METADATA'))
const Metadata = struct({ decimal: u32, name: string, symbol: string })

/** The token metadata in an instance, or null when it does not use METADATA. */
export function tokenMetadata(instance: Instance): TokenMetadata | null {
  const stored = instance.entries.find((entry) => Buffer.compare(entry.key, METADATA) === 0)
  const read = stored === undefined ? null : matches(Metadata, stored.value)
  return read === null ? null : { decimals: read.decimal, name: read.name, symbol: read.symbol }
}

/** More decimals than an i128 has digits: no unit of such a token can exist. Any account can deploy one, and 10^decimals must not be computed for it. */
const MOST_DECIMALS = 38

/** The metadata in a token's own instance, or null when it does not use METADATA or the values are impossible. */
export function readTokenMetadata(value: Uint8Array, token: ContractId): TokenMetadata | null {
  const metadata = tokenMetadata(readInstance(value, { contract: token, what: 'token instance' }))
  return metadata === null || metadata.decimals > MOST_DECIMALS ? null : metadata
}

const TokenBalanceKey = variant({ Balance: [address] })
const TokenBalance = oneOf([struct({ amount: i128 }), i128])

/** The holder of a token's `Balance(holder)` entry, or null when the key is something else. */
export function readBalanceHolder(key: Uint8Array): Address | null {
  return matches(TokenBalanceKey, key)?.values[0] ?? null
}

/** The amount of a token's balance entry: a map in the Stellar Asset Contract, a bare i128 in most others. Null when it is neither. */
export function readTokenBalance(value: Uint8Array): bigint | null {
  const read = matches(TokenBalance, value)
  return read === null || typeof read === 'bigint' ? read : read.amount
}
