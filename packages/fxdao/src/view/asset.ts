// The names of currencies and tokens.

import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network } from '@orrery/protocol-kit'
import { DECIMALS } from '../chain/entries.ts'
import type { FxdaoState } from '../state/state.ts'

/** Names a currency where pools are named, `fxdao:USD`: it counts as a pool, although one contract serves all currencies. */
export function poolOfCurrency(denomination: string): string {
  return `fxdao:${denomination}`
}

/** Of a token: the registry's hint, else a coin of the vaults, else the metadata of the token's own instance, else only its address. */
export function assetInfo(state: FxdaoState, asset: ContractId, network: Network): AssetInfo {
  const hint = network.assets[asset]
  if (hint !== undefined) return { asset, symbol: hint.code, decimals: hint.decimals, tags: hint.tags }
  // The contract counts every coin with seven decimals, and issues it as classic asset `<denomination>x`.
  const denomination = [...state.currencies].find(([, { value }]) => value.coin === asset)?.[0]
  if (denomination !== undefined) return { asset, symbol: `${denomination}x`, decimals: DECIMALS, tags: ['classic', 'stablecoin'] }
  const stored = state.assets.get(asset)
  if (stored !== undefined) return { asset, symbol: stored.symbol, decimals: stored.decimals, tags: ['soroban'] }
  return { asset, symbol: '', decimals: null, tags: [] }
}
