// The entry of an account in a pair: shares are a balance of the pair contract itself.

import { type AccountEntries, balanceName } from '@orrery/protocol-kit'
import { pair } from '../state/pair.ts'
import type { SoroswapState } from '../state/state.ts'

export const accountEntries: AccountEntries<SoroswapState> = {
  listings: ({ deployments }) => deployments.soroswap.map(({ factory }) => factory),
  poolKeys: [pair.key],
  predatingPools: ({ pairs }) => [...pairs.values()].flatMap((it) => (it.listing === null ? it.pair : [])).sort(),
  poolOf: ({ contract }) => contract,
  names: (pool, address) => [balanceName(pool, address)],
}
