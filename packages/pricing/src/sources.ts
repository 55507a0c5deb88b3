// The price sources of a network, from its registry: which contracts are used, in which order, and which token a symbol means.

import type { ContractId } from '@orrery/ledger'
import type { CoinIssuer, Network, OracleConfig, PeggedCoinsReader, PricePoolReader, ProtocolId } from '@orrery/protocol-kit'
import { type OracleAsset, otherAsset, stellarAsset } from './oracle.ts'

export interface PricePoolSource {
  readonly protocol: ProtocolId
  readonly contract: ContractId
  readonly reader: PricePoolReader
}

export interface CoinsSource extends CoinIssuer {
  readonly protocol: ProtocolId
  readonly reader: PeggedCoinsReader
}

export interface Sources {
  readonly network: Network
  /** In the registry's order, which is the order of precedence. */
  readonly oracles: readonly OracleConfig[]
  /** In the same order; only pools that a reader of this build supports. */
  readonly pricePools: readonly PricePoolSource[]
  /** Pools of the registry that no reader of this build supports. */
  readonly unreadPools: readonly ContractId[]
  /** Issuers of coins at par, if an oracle of the registry can be their feed. */
  readonly coinIssuers: readonly CoinsSource[]
  /** How oracles may list a token: by its contract, or by its code if only one token has the code in the registry's hints. */
  namesOf(token: ContractId): readonly OracleAsset[]
  /** The token of an oracle's asset, null if it is unknown. */
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
    coinIssuers: network.oracles.some(({ kind }) => kind === 'fxdao_currencies') ? coinIssuersOf(network) : [],
    namesOf(token) {
      const code = codeByToken.get(token)
      return code === undefined ? [stellarAsset(token)] : [stellarAsset(token), otherAsset(code)]
    },
    tokenOf: (asset) => (asset.kind === 'stellar' ? asset.contract : (tokenByCode.get(asset.symbol) ?? null)),
  }
}

/** A code of two hinted tokens is not used: one of them would get the price of the other. */
function uniqueCodes(network: Network): Map<string, ContractId> {
  const tokens = new Map<string, ContractId[]>()
  for (const [token, { code }] of Object.entries(network.assets)) tokens.set(code, [...(tokens.get(code) ?? []), token])
  return new Map(
    [...tokens].flatMap(([code, [token, ...others]]) => (token === undefined || others.length > 0 ? [] : [[code, token] as const])),
  )
}

function coinIssuersOf({ protocols, deployments }: Network): CoinsSource[] {
  return protocols.flatMap(({ id, peggedCoins: reader }) =>
    reader === null ? [] : reader.issuers(deployments).map((issuer) => ({ ...issuer, protocol: id, reader })),
  )
}
