// Bootstrap entries of an index that begins in the middle of history: the router's list of pools, and where rewards of pools are counted.
// Ingest asks for instances and balances by itself. Keys of ranges and users cannot be listed: they are known from their first change on.

import { createHash } from 'node:crypto'
import { isInstanceKey } from '@orrery/fold-kit'
import { address, type ContractId, type EntryRecord, matches, sc, vec, writeScVal } from '@orrery/ledger'
import type { EntryName, TrackedContract } from '@orrery/protocol-kit'
import { readPoolInstance } from './pool-instance.ts'
import { readRouterInstance, readRouterKey } from './router-entries.ts'

const TokenSet = vec(address)

export function bootstrapEntries({ role, contract }: TrackedContract, read: EntryRecord | null): readonly EntryName[] {
  if (read === null || read.value === null) return []
  if (role === 'router') return routerEntries(contract, read.key, read.value)
  if (role === 'pool' && isInstanceKey(read.key)) return [rewardPage(contract, readPoolInstance(read.value, contract).rewards.block)]
  return []
}

/** The instance counts the sets of tokens, each set names its tokens, and their hash names the list of pools. */
function routerEntries(router: ContractId, key: Uint8Array, value: Uint8Array): EntryName[] {
  if (isInstanceKey(key)) {
    const { tokenSets } = readRouterInstance(value, router)
    return Array.from({ length: Number(tokenSets) }, (_, n) => persistent(router, sc.vec(sc.symbol('TokensSet'), sc.u128(BigInt(n)))))
  }
  const tokens = readRouterKey(key)?.name === 'TokensSet' ? matches(TokenSet, value) : null
  return tokens === null ? [] : [persistent(router, sc.vec(sc.symbol('TokensSetPools'), sc.bytes(tokensSalt(tokens))))]
}

/** sha256 of the tokens' addresses as ScVals, one after the other. Source: liquidity_pool_router/src/pool_utils.rs, `get_tokens_salt`. */
export function tokensSalt(tokens: readonly ContractId[]): Uint8Array {
  const hash = createHash('sha256')
  for (const token of tokens) hash.update(writeScVal(sc.address(token)))
  return new Uint8Array(hash.digest())
}

/** The page of the newest checkpoint: users with a checkpoint in it have exact rewards then. */
function rewardPage(pool: ContractId, block: bigint): EntryName {
  return persistent(pool, sc.vec(sc.symbol('RewardInvDataV2'), sc.u32(0), sc.u64(block / 100n)))
}

function persistent(contract: ContractId, key: Parameters<typeof writeScVal>[0]): EntryName {
  return { contract, key: writeScVal(key), durability: 'persistent' }
}
