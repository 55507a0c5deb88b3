// Symbol and decimals of a token: by the registry's hint, else by the token's own instance, else unknown.
// Decimals are never guessed: without them amounts stay raw and have no value.

import { namedAsset } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network } from '@orrery/protocol-kit'
import type { BlendState } from '../state/state.ts'

/** LP tokens and BLND have seven decimals: contracts/src/c_pool/metadata.rs, and BLND is a Stellar asset. */
export const LP_DECIMALS = 7

export function assetInfo({ assets }: BlendState, asset: ContractId, network: Network): AssetInfo {
  return namedAsset(asset, network, assets, () =>
    network.deployments.blend.some(({ backstopToken }) => backstopToken === asset)
      ? { asset, symbol: 'BLND-USDC-LP', decimals: LP_DECIMALS, tags: ['lp_share'] }
      : null,
  )
}
