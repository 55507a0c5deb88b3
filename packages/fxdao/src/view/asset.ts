// The names of currencies and tokens.

import { namedAsset } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network } from '@orrery/protocol-kit'
import { DECIMALS } from '../chain/entries.ts'
import type { FxdaoState } from '../state/state.ts'

/** Names a currency where pools are named, `fxdao:USD`: it counts as a pool, although one contract serves all currencies. */
export function poolOfCurrency(denomination: string): string {
  return `fxdao:${denomination}`
}

/** Of a token: the registry's hint, else a coin of the vaults, else the metadata of the token's own instance, else only its address. */
export function assetInfo({ currencies, assets }: FxdaoState, asset: ContractId, network: Network): AssetInfo {
  return namedAsset(asset, network, assets, () => {
    // The contract counts every coin with seven decimals, and issues it as classic asset `<denomination>x`.
    const denomination = [...currencies].find(([, { value }]) => value.coin === asset)?.[0]
    return denomination === undefined ? null : { asset, symbol: `${denomination}x`, decimals: DECIMALS, tags: ['classic', 'stablecoin'] }
  })
}
