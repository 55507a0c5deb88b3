// What a network's registry means for prices: which contracts are asked, in which order, and which token a symbol stands for.

import type { ContractId } from '@orrery/ledger'
import {
  type Deployment,
  deploymentsOf,
  type Network,
  type OracleConfig,
  type PricePoolReader,
  type ProtocolId,
} from '@orrery/protocol-kit'
import { type OracleAsset, otherAsset, stellarAsset } from './oracle.ts'

export interface PricePoolSource {
  readonly protocol: ProtocolId
  readonly contract: ContractId
  readonly reader: PricePoolReader
}

export interface VaultsSource {
  readonly contract: ContractId
  readonly fromLedger: number
}

export interface Sources {
  readonly network: Network
  /** In the registry's order, which is the order of asking. */
  readonly oracles: readonly OracleConfig[]
  /** Likewise; only pools that somebody can read. */
  readonly pricePools: readonly PricePoolSource[]
  /** Pools of the registry that nobody here can read. */
  readonly unreadPools: readonly ContractId[]
  /** FxDAO's vaults, where an oracle of the registry is a feed of theirs. */
  readonly vaults: readonly VaultsSource[]
  /** How oracles may list a token: by its contract, or by the code that the registry's hints give to it alone. */
  namesOf(token: ContractId): readonly OracleAsset[]
  /** The token that an oracle means, null when it is none that we know. */
  tokenOf(asset: OracleAsset): ContractId | null
}

export function sourcesOf(network: Network): Sources {
  const readable = network.pricePools.flatMap((pool) => {
    const reader = network.protocols.find(({ id }) => id === pool.protocol)?.pricePool ?? null
    return reader === null ? [] : [{ ...pool, reader }]
  })
  const tokenByCode = uniqueCodes(network)
  const codeByToken = new Map([...tokenByCode].map(([code, token]) => [token, code]))
  return {
    network,
    oracles: network.oracles,
    pricePools: readable,
    unreadPools: network.pricePools
      .filter((pool) => !readable.some(({ contract }) => contract === pool.contract))
      .map(({ contract }) => contract),
    vaults: network.oracles.some(({ kind }) => kind === 'fxdao_currencies') ? vaultsOf(network) : [],
    namesOf(token) {
      const code = codeByToken.get(token)
      return code === undefined ? [stellarAsset(token)] : [stellarAsset(token), otherAsset(code)]
    },
    tokenOf: (asset) => (asset.kind === 'stellar' ? asset.contract : (tokenByCode.get(asset.symbol) ?? null)),
  }
}

/** A code that two hinted tokens share names neither: the wrong one would get the other's price. */
function uniqueCodes(network: Network): Map<string, ContractId> {
  const tokens = new Map<string, ContractId[]>()
  for (const [token, { code }] of Object.entries(network.assets)) tokens.set(code, [...(tokens.get(code) ?? []), token])
  return new Map(
    [...tokens].flatMap(([code, [token, ...others]]) => (token === undefined || others.length > 0 ? [] : [[code, token] as const])),
  )
}

/** What a feed of FxDAO's currencies needs of FxDAO's deployment; `@orrery/fxdao` declares all of it. */
interface VaultsDeployment extends Deployment {
  readonly vaults: ContractId
}

function vaultsOf(network: Network): VaultsSource[] {
  const deployments = deploymentsOf(network, 'fxdao') as readonly VaultsDeployment[]
  return deployments.map(({ vaults, fromLedger }) => ({ contract: vaults, fromLedger }))
}
