// `enrichment` of an answer: descriptions of all assets and contracts in it, and the prices of assets at the ledger of the answer.
// The protocols that the answer reads describe what they know, in the order of precedence of prices; the other protocols are asked only for
// the rest.

import type { ContractId } from '@orrery/ledger'
import type { AssetInfo, Network, ProtocolId } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import type { Enrichment } from '../envelope.ts'
import { namedIds } from '../present/named-ids.ts'
import { presentPrice } from '../present/price.ts'
import type { PriceUse } from '../present/price-use.ts'
import { timestampOf } from '../present/timestamp.ts'
import { readersOf } from '../readers/index.ts'
import type { ContractDescription, Names } from '../readers/protocol-reader.ts'
import { contextAt } from '../readers/registry-as-of.ts'
import type { RouteContext } from '../route.ts'

/**
 * `known`: the loaded names of a protocol if they include everything that the answer names, else the ids of the protocols that the answer
 * reads. Prices that are shown are added to `prices`.
 */
export async function enrich(
  data: unknown,
  at: LedgerTime,
  prices: PriceUse,
  context: RouteContext,
  known: readonly (Names | ProtocolId)[],
): Promise<Enrichment> {
  const named = namedIds(data)
  const ids = [...new Set([...named.assets, ...named.contracts])].sort()
  if (ids.length === 0) return { assets: {}, contracts: {} }

  const involved = await involvedNames(ids, at, context, known)
  const { network } = await contextAt(context, at.ledger)
  const described = new Map(ids.map((id) => [id, describe(id, involved, network)]))
  const undescribed = ids.filter((id) => described.get(id)?.isKnown === false)
  const others = undescribed.length === 0 ? [] : await otherNames(undescribed, named.assets, at, context, known)
  const all = [...involved, ...others]

  const assets: Enrichment['assets'] = {}
  const contracts: Enrichment['contracts'] = {}
  for (const [id, first] of described) {
    const names = first.isKnown ? involved : all
    const { contract, isToken } = first.isKnown || others.length === 0 ? first : describe(id, all, network)
    const isAsset = named.assets.has(id) || (contract === null && isToken)
    if (isAsset) assets[id] = describeAsset(id, names, prices)
    // An LP token is listed as both. Any other token is listed as an asset only, although it is a contract, too.
    if (contract !== null || !isAsset) contracts[id] = contract ?? UNKNOWN_CONTRACT
  }
  return { assets, contracts }
}

interface Description {
  /** Null if the contract has no known role. */
  readonly contract: ContractDescription | null
  readonly isToken: boolean
  readonly isKnown: boolean
}

function describe(id: ContractId, names: readonly Names[], network: Network): Description {
  const contract = describeContract(id, names, network)
  const isToken = names.some((protocol) => protocol.isToken(id))
  return { contract, isToken, isKnown: isToken || contract !== null }
}

/** In the order of the readers, whatever the order of `known`. */
async function involvedNames(
  ids: readonly ContractId[],
  at: LedgerTime,
  context: RouteContext,
  known: readonly (Names | ProtocolId)[],
): Promise<Names[]> {
  const found = readersOf(context).map((reader) => {
    const loaded = known.find((one) => typeof one === 'object' && one.protocol === reader.protocol)
    if (typeof loaded === 'object') return loaded
    return known.includes(reader.protocol) ? reader.contracts(ids, at) : null
  })
  return (await Promise.all(found)).filter((names) => names !== null)
}

/**
 * Names from the protocols that were not asked for these ids yet. Loaded names include the assets of the answer, but not necessarily the
 * other contracts in it: the account may be a pool.
 */
async function otherNames(
  ids: readonly ContractId[],
  assets: ReadonlySet<ContractId>,
  at: LedgerTime,
  context: RouteContext,
  known: readonly (Names | ProtocolId)[],
): Promise<Names[]> {
  const found = readersOf(context).map((reader) => {
    if (known.includes(reader.protocol)) return null
    const isLoaded = known.some((one) => typeof one === 'object' && one.protocol === reader.protocol)
    const asked = isLoaded ? ids.filter((id) => !assets.has(id)) : ids
    return asked.length === 0 ? null : reader.contracts(asked, at)
  })
  return (await Promise.all(found)).filter((names) => names !== null)
}

type Asset = Enrichment['assets'][string]

/** The description of the first protocol that knows the decimals, and the price of the first one that has a price. */
function describeAsset(id: ContractId, names: readonly Names[], prices: PriceUse): Asset {
  const info =
    firstOf(names, (protocol) => withDecimals(protocol.asset(id))) ?? firstOf(names, (protocol) => withSymbol(protocol.asset(id)))
  const price = firstOf(names, (protocol) => protocol.price(id))
  prices.add(price)
  const price_observed_at = price === null ? null : timestampOf(price.observedAtSeconds)
  return {
    symbol: info?.symbol ?? '',
    decimals: info?.decimals ?? null,
    tags: [...(info?.tags ?? [])],
    ...presentPrice(price),
    price_observed_at,
  }
}

function withDecimals(info: AssetInfo): AssetInfo | null {
  return info.decimals === null ? null : info
}

function withSymbol(info: AssetInfo): AssetInfo | null {
  return info.symbol === '' ? null : info
}

/** The first answer that is not null; later ones are not asked. */
function firstOf<T>(names: readonly Names[], ask: (protocol: Names) => T | null): T | null {
  for (const protocol of names) {
    const found = ask(protocol)
    if (found !== null) return found
  }
  return null
}

/** A contract that no indexed protocol knows: a wallet, a vault of another protocol. */
const UNKNOWN_CONTRACT: ContractDescription = { name: '', protocol: '', position_types: [], status: 'active', version: '' }

const ORACLE_NAMES = {
  reflector: 'Reflector oracle',
  oracle_aggregator: 'Oracle aggregator',
  fxdao_currencies: 'FxDAO price feed',
} as const

function describeContract(id: ContractId, names: readonly Names[], network: Network): ContractDescription | null {
  const own = firstOf(names, (protocol) => protocol.contract(id))
  if (own !== null) return own
  const oracle = network.oracles.find(({ contract }) => contract === id)
  return oracle === undefined ? null : { ...UNKNOWN_CONTRACT, name: ORACLE_NAMES[oracle.kind] }
}
