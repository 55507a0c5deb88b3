// Symbol and decimals of a token: by the registry's hint, else by the token's own instance, else unknown.
// Decimals are never guessed: without them amounts stay raw and have no value.

import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network } from '@orrery/protocol-kit'
import type { BlendState } from '../state/state.ts'

/** LP tokens and BLND have seven decimals: contracts/src/c_pool/metadata.rs, and BLND is a Stellar asset. */
export const LP_DECIMALS = 7

export function assetInfo(state: BlendState, asset: ContractId, network: Network): AssetInfo {
  const hint = network.assets[asset]
  if (hint !== undefined) return { asset, symbol: hint.code, decimals: hint.decimals, tags: hint.tags }
  if (network.deployments.blend.some(({ backstopToken }) => backstopToken === asset)) {
    return { asset, symbol: 'BLND-USDC-LP', decimals: LP_DECIMALS, tags: ['lp_share'] }
  }
  const metadata = state.assets.get(asset)
  if (metadata !== undefined) return { asset, symbol: metadata.symbol, decimals: metadata.decimals, tags: ['soroban'] }
  return { asset, symbol: '', decimals: null, tags: [] }
}
