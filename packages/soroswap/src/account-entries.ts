// What an account has in a pair: shares are a balance of the pair itself.

import { type AccountEntries, balanceName } from '@orrery/protocol-kit'
import type { SoroswapState } from './state.ts'
import { stateKey } from './state-rows.ts'

export const accountEntries: AccountEntries<SoroswapState> = {
  listings: ({ deployments }) => deployments.soroswap.map(({ factory }) => factory),
  poolKeys: [stateKey.pair],
  olderPools: ({ pairs }) => [...pairs.values()].flatMap(({ pair, listing }) => (listing === null ? pair : [])).sort(),
  poolOf: ({ contract }) => contract,
  names: (pair, address) => [balanceName(pair, address)],
}
