// Symbol and decimals of a token. Decimals are never guessed: without them amounts stay raw and have no value.

import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network } from '@orrery/protocol-kit'
import type { TokenMetadata } from './token-entries.ts'

/**
 * By the registry's hint, else as the protocol itself knows it, else by the metadata of the token's own instance; otherwise only its address is known.
 *
 * @param stored Metadata by token, where its instance was seen.
 * @param own A share token or a coin of the protocol. Null: neither.
 */
export function namedAsset(
  asset: ContractId,
  { assets }: Network,
  stored: ReadonlyMap<ContractId, TokenMetadata>,
  own: () => AssetInfo | null,
): AssetInfo {
  const hint = assets[asset]
  if (hint !== undefined) return { asset, symbol: hint.code, decimals: hint.decimals, tags: hint.tags }
  const metadata = stored.get(asset)
  const { symbol, decimals } = metadata ?? { symbol: '', decimals: null }
  return own() ?? { asset, symbol, decimals, tags: metadata === undefined ? [] : ['soroban'] }
}
