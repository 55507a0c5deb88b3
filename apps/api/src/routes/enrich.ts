// `enrichment` of an answer: who every asset and contract in it is, and what the network says an asset costs at the answer's ledger.

import type { ContractId } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import type { Enrichment } from '../envelope.ts'
import { namedIds } from '../present/named-ids.ts'
import { presentPrice } from '../present/price.ts'
import type { PriceUse } from '../present/price-use.ts'
import type { RouteContext } from '../route.ts'
import { type SoroswapAsOf, soroswapNames } from './soroswap-state.ts'

/** `loaded`: state that the answer was made from, when it has everything that the answer names. Shown prices go into `prices`. */
export async function enrich(
  data: unknown,
  at: LedgerTime,
  prices: PriceUse,
  context: RouteContext,
  loaded: SoroswapAsOf | null = null,
): Promise<Enrichment> {
  const named = namedIds(data)
  const ids = [...new Set([...named.assets, ...named.contracts])].sort()
  if (ids.length === 0) return { assets: {}, contracts: {} }
  const known = loaded ?? (await soroswapNames(ids, at, context))

  const assets: Enrichment['assets'] = {}
  const contracts: Enrichment['contracts'] = {}
  for (const id of ids) {
    const contract = describeContract(id, known, context.network)
    const isAsset = named.assets.has(id) || (contract === null && isToken(id, known))
    if (isAsset) assets[id] = describeAsset(id, known, prices)
    // An LP token is both. A token is a contract too, but as one it has nothing to say.
    if (contract !== null || !isAsset) contracts[id] = contract ?? STRANGER
  }
  return { assets, contracts }
}

type Contract = Enrichment['contracts'][string]
type Asset = Enrichment['assets'][string]

/** A contract of nobody whom we know: somebody's wallet, a vault of another protocol. */
const STRANGER: Contract = { name: '', protocol: '', position_types: [], status: 'active', version: '' }

function describeAsset(id: ContractId, { view, state, at }: SoroswapAsOf, prices: PriceUse): Asset {
  const { symbol, decimals, tags } = view.asset(state, id)
  const price = view.price(state, id, at)
  prices.add(price)
  return { symbol, decimals, tags: [...tags], ...presentPrice(price) }
}

/** A pair that the registry knows before it exists is a contract of nobody yet, not a token. */
function isToken(id: ContractId, { view, state }: SoroswapAsOf): boolean {
  return !state.pairs.has(id) && view.asset(state, id).decimals !== null
}

const ORACLE_NAMES = {
  reflector: 'Reflector oracle',
  oracle_aggregator: 'Oracle aggregator',
  fxdao_currencies: 'FxDAO price feed',
} as const

/** Null for what is no contract of a known role. */
function describeContract(id: ContractId, known: SoroswapAsOf, network: Network): Contract | null {
  const pair = describePair(id, known)
  if (pair !== null) return pair
  for (const { factory, routers } of network.deployments.soroswap) {
    const name = id === factory ? 'Soroswap factory' : routers.includes(id) ? 'Soroswap router' : null
    if (name !== null) return { ...STRANGER, name, protocol: 'soroswap' }
  }
  const oracle = network.oracles.find(({ contract }) => contract === id)
  return oracle === undefined ? null : { ...STRANGER, name: ORACLE_NAMES[oracle.kind] }
}

function describePair(id: ContractId, { view, state }: SoroswapAsOf): Contract | null {
  const pair = state.pairs.get(id)
  if (pair?.tokens == null) return null
  const symbols = pair.tokens.map((token) => view.asset(state, token).symbol || `${token.slice(0, 4)}…${token.slice(-4)}`)
  return {
    name: `${symbols.join('/')} (constant product 0.3%)`,
    protocol: 'soroswap',
    position_types: ['lp'],
    // A pair cannot be paused, and its factory never forgets it.
    status: 'active',
    version: pair.instance?.value.code ?? '',
  }
}
