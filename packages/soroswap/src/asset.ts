// Who a token is: the registry's hint, else what the token's own instance said, else only its address.
// Decimals are never guessed: without them amounts stay raw and have no value.

import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network } from '@orrery/protocol-kit'
import { SHARE_DECIMALS } from './math.ts'
import type { SoroswapState } from './state.ts'

export function assetInfo(state: SoroswapState, asset: ContractId, network: Network): AssetInfo {
  const hint = network.assets[asset]
  if (hint !== undefined) return { asset, symbol: hint.code, decimals: hint.decimals, tags: hint.tags }
  const pair = state.pairs.get(asset)
  if (pair !== undefined) return shareAsset(state, asset, network)
  const said = state.assets.get(asset)
  if (said !== undefined) return { asset, symbol: said.symbol, decimals: said.decimals, tags: ['soroban'] }
  return { asset, symbol: '', decimals: null, tags: [] }
}

/**
 * The LP token of a pair: the pair contract itself, always with seven decimals. Its symbol follows the contract's rule
 * (six characters of each token's symbol), from our names of the tokens, so that every partition says the same.
 */
export function shareAsset(state: SoroswapState, pair: ContractId, network: Network): AssetInfo {
  const tokens = state.pairs.get(pair)?.tokens
  const symbol = tokens ? `${tokens.map((token) => shortName(state, token, network).slice(0, 6)).join('-')}-SOROSWAP-LP` : ''
  return { asset: pair, symbol, decimals: SHARE_DECIMALS, tags: ['lp_share'] }
}

/** `<symbol>/<symbol>`, as the API names a pair. */
export function pairName(state: SoroswapState, tokens: readonly [ContractId, ContractId], network: Network): string {
  return tokens.map((token) => shortName(state, token, network)).join('/')
}

/** The symbol, or the ends of the address of a token that nobody named. */
function shortName(state: SoroswapState, token: ContractId, network: Network): string {
  return assetInfo(state, token, network).symbol || `${token.slice(0, 4)}…${token.slice(-4)}`
}
