// Name, symbol and decimals of tokens by their own instances, where the registry has no hint: one row for each token, the same in every partition.

import type { ContractId } from '@orrery/ledger'
import { readTokenMetadata, type TokenMetadata } from '../token-entries.ts'
import type { KeyedRecord } from './apply-entry.ts'
import type { Journal } from './journal.ts'
import { encodeValue, type Members, number, object, text } from './stored-value.ts'

/** The row's key, under the token. */
export const TOKEN_KEY = 'asset'

/** What the row holds. */
export const tokenValue: Members<TokenMetadata> = object({ decimals: number, name: text, symbol: text })

/**
 * Applies a token's own instance, the same way in every protocol. Records without a value (a TTL, an eviction, a removal) and instances without readable
 * `METADATA` change nothing.
 *
 * Name, symbol and decimals do not change in practice, so a bootstrap entry counts whenever it was read, also where its value before this ledger is not
 * certain (`before` null): it fills what is unknown, is written as inferred at `ledger - 1`, and never overwrites what is known.
 */
export function applyTokenInstance(tokens: Map<ContractId, TokenMetadata>, record: KeyedRecord, journal: Journal): void {
  if (record.kind !== 'entry' || record.value === null) return
  const { contract } = record
  const metadata = readTokenMetadata(record.value, contract)
  if (metadata === null) return
  const value = tokenText(metadata)
  const before = tokens.get(contract)
  const isBootstrap = record.change === 'bootstrap'
  if (before !== undefined && (isBootstrap || tokenText(before) === value)) return
  tokens.set(contract, metadata)
  const row = { contract, key: TOKEN_KEY, value, durability: 'fact', shared: true } as const
  if (isBootstrap) journal.infer(row)
  else journal.write(row)
}

function tokenText(metadata: TokenMetadata): string {
  return encodeValue(tokenValue, metadata)
}
