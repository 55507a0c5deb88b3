// Name and decimals of a token: by the registry's hint, else by the token's own instance; else only its address is known.
// Decimals are never guessed: without them amounts stay raw and have no value.

import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network } from '@orrery/protocol-kit'
import type { AquariusState } from '../state/state.ts'

/** Of all share tokens, whatever they count; liquidity of ranges is shown alike. */
export const SHARE_DECIMALS = 7

export function assetInfo(state: AquariusState, asset: ContractId, network: Network): AssetInfo {
  const hint = network.assets[asset]
  if (hint !== undefined) return { asset, symbol: hint.code, decimals: hint.decimals, tags: hint.tags }
  if (state.shareTokens.has(asset) || state.pools.has(asset)) return shareAsset(asset)
  const own = state.assets.get(asset)
  if (own !== undefined) return { asset, symbol: own.symbol, decimals: own.decimals, tags: ['soroban'] }
  return { asset, symbol: '', decimals: null, tags: [] }
}

/** All share tokens call themselves POOL, with seven decimals. The shares of a concentrated pool have the address of the pool. Source: token_share/src/lib.rs. */
function shareAsset(asset: ContractId): AssetInfo {
  return { asset, symbol: 'POOL', decimals: SHARE_DECIMALS, tags: ['lp_share'] }
}

/** `<symbol>/<symbol>`, as the API names a pool. */
export function poolName(state: AquariusState, tokens: readonly ContractId[], network: Network): string {
  return tokens.map((token) => shortName(state, token, network)).join('/')
}

/** The symbol, or the ends of the address of a token without a name. */
function shortName(state: AquariusState, token: ContractId, network: Network): string {
  return assetInfo(state, token, network).symbol || `${token.slice(0, 4)}…${token.slice(-4)}`
}
