// Name and decimals of a token: by the registry's hint, else by the token's own instance; else only its address is known.
// Decimals are never guessed: without them amounts stay raw and have no value.

import { namedAsset } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network } from '@orrery/protocol-kit'
import type { AquariusState } from '../state/state.ts'

/** Of all share tokens, whatever they count; liquidity of ranges is shown alike. */
export const SHARE_DECIMALS = 7

export function assetInfo({ shareTokens, pools, assets }: AquariusState, asset: ContractId, network: Network): AssetInfo {
  return namedAsset(asset, network, assets, () => (shareTokens.has(asset) || pools.has(asset) ? shareAsset(asset) : null))
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
