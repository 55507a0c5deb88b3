// The name of a token: the registry's hint, else the metadata of the token's own instance, else only its address.
// Decimals are never guessed: without them amounts stay raw and have no value.

import { namedAsset } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network } from '@orrery/protocol-kit'
import { SHARE_DECIMALS } from '../math/constant-product.ts'
import type { PairState, SoroswapState } from '../state/state.ts'

/** Pairs of pairs of pairs …: any account can create them. Deeper ones are named by their address. */
const DEEPEST_NAME = 100

export function assetInfo(state: SoroswapState, asset: ContractId, network: Network): AssetInfo {
  return namedAsset(asset, network, state.assets, () => (state.pairs.has(asset) ? shareAsset(state, asset, network) : null))
}

/**
 * The LP token of a pair: the pair contract itself, always with seven decimals. Its symbol follows the contract's rule
 * (six characters of each token's symbol), from Orrery's names of the tokens, so that every partition gives the same symbol.
 */
export function shareAsset(state: SoroswapState, pair: ContractId, network: Network): AssetInfo {
  const known = state.pairs.get(pair)
  const symbol = known === undefined ? '' : shareSymbol(known, namingOf(state, network), 0)
  return { asset: pair, symbol, decimals: SHARE_DECIMALS, tags: ['lp_share'] }
}

/** `<symbol>/<symbol>`, as the API names a pair. */
export function pairName(state: SoroswapState, tokens: readonly [ContractId, ContractId], network: Network): string {
  const naming = namingOf(state, network)
  return tokens.map((token) => shortName(token, naming, 0)).join('/')
}

/** The inputs of names. A name may need the same pair several times: each is named once. */
interface Naming {
  readonly state: SoroswapState
  readonly network: Network
  /** Of pairs. */
  readonly symbols: Map<ContractId, string>
}

function namingOf(state: SoroswapState, network: Network): Naming {
  return { state, network, symbols: new Map() }
}

/** The symbol, or the ends of the address of a token without a name. */
function shortName(token: ContractId, naming: Naming, depth: number): string {
  return symbolOf(token, naming, depth) || `${token.slice(0, 4)}…${token.slice(-4)}`
}

function symbolOf(token: ContractId, naming: Naming, depth: number): string {
  const pair = naming.state.pairs.get(token)
  const hint = naming.network.assets[token]
  if (hint === undefined && pair !== undefined) return shareSymbol(pair, naming, depth)
  return hint?.code ?? naming.state.assets.get(token)?.symbol ?? ''
}

function shareSymbol({ pair, tokens }: PairState, naming: Naming, depth: number): string {
  if (tokens === null || depth > DEEPEST_NAME) return ''
  const known = naming.symbols.get(pair)
  if (known !== undefined) return known
  const symbol = `${tokens.map((token) => shortName(token, naming, depth + 1).slice(0, 6)).join('-')}-SOROSWAP-LP`
  naming.symbols.set(pair, symbol)
  return symbol
}
