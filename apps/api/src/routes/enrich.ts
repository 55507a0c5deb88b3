// `enrichment` of an answer: who every asset and contract in it is, and what the network says an asset costs at the answer's ledger.
// The protocols that the answer draws on say what they know, in the order in which prices count; only what none of them knows is asked
// of the others.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId } from '@orrery/protocol-kit'
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
 * `known`: what the answer was made from, by protocol, when it has everything that the answer names; or only the protocols that it draws
 * on. Shown prices go into `prices`.
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
  const then = await contextAt(context, at.ledger)
  const strange = ids.filter((id) => !isDescribed(id, involved, then))
  const others = strange.length === 0 ? [] : await otherNames(strange, named.assets, at, context, known)

  const assets: Enrichment['assets'] = {}
  const contracts: Enrichment['contracts'] = {}
  for (const id of ids) {
    const names = strange.includes(id) ? [...involved, ...others] : involved
    const contract = describeContract(id, names, then)
    const isAsset = named.assets.has(id) || (contract === null && isToken(id, names))
    if (isAsset) assets[id] = describeAsset(id, names, prices)
    // An LP token is both. A token is a contract too, but as one it has nothing to say.
    if (contract !== null || !isAsset) contracts[id] = contract ?? STRANGER
  }
  return { assets, contracts }
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
 * Of all who were not asked for these yet. What an answer was made from tells its assets, and need not tell who else it names: the account
 * may be a pool.
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

function isDescribed(id: ContractId, names: readonly Names[], context: RouteContext): boolean {
  return isToken(id, names) || describeContract(id, names, context) !== null
}

function isToken(id: ContractId, names: readonly Names[]): boolean {
  return names.some((protocol) => protocol.isToken(id))
}

type Asset = Enrichment['assets'][string]

/** The first that knows its decimals says what it is; the first that has a price says what it costs. */
function describeAsset(id: ContractId, names: readonly Names[], prices: PriceUse): Asset {
  const infos = names.map((protocol) => protocol.asset(id))
  const info = infos.find(({ decimals }) => decimals !== null) ?? infos.find(({ symbol }) => symbol !== '')
  const price = names.map((protocol) => protocol.price(id)).find((one) => one !== null) ?? null
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

/** A contract of nobody whom we know: somebody's wallet, a vault of another protocol. */
const STRANGER: ContractDescription = { name: '', protocol: '', position_types: [], status: 'active', version: '' }

const ORACLE_NAMES = {
  reflector: 'Reflector oracle',
  oracle_aggregator: 'Oracle aggregator',
  fxdao_currencies: 'FxDAO price feed',
} as const

/** Null for what is no contract of a known role. */
function describeContract(id: ContractId, names: readonly Names[], { network }: RouteContext): ContractDescription | null {
  for (const protocol of names) {
    const own = protocol.contract(id)
    if (own !== null) return own
  }
  const oracle = network.oracles.find(({ contract }) => contract === id)
  return oracle === undefined ? null : { ...STRANGER, name: ORACLE_NAMES[oracle.kind] }
}
