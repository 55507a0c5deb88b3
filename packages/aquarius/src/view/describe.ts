// Who the contracts of Aquarius are: for answers that name them without valuing them.

import type { ContractId } from '@orrery/ledger'
import { Decimal } from '@orrery/pricing'
import type { ContractDescription, LpPoolType, Network } from '@orrery/protocol-kit'
import { releaseName } from '../chain/release.ts'
import type { AquariusState, PoolState } from '../state/state.ts'
import { poolName } from './asset.ts'
import { poolStatus } from './position.ts'
import { feeText, poolType } from './valuation.ts'

const KINDS: Readonly<Record<LpPoolType, string>> = {
  constant_product: 'constant product',
  stable: 'stable',
  concentrated: 'concentrated',
  unknown: 'unknown kind',
}

/** A router, a pool, its share token or one of its gauges; null for anything else. Versions are releases, or the beginning of an unknown build's hash. */
export function describeContract(state: AquariusState, contract: ContractId, network: Network): ContractDescription | null {
  if (network.deployments.aquarius.some(({ router }) => router === contract)) {
    const code = state.routers.get(contract)?.instance?.value.code ?? ''
    return { name: 'Aquarius router', positionTypes: [], status: 'active', version: code.slice(0, 8) }
  }
  const pool = state.pools.get(contract)
  if (pool !== undefined) return describePool(state, pool, network)
  const shares = state.shareTokens.get(contract)
  const of = state.pools.get(shares?.pool ?? state.gaugePools.get(contract) ?? '')
  // A share token whose pool was not loaded.
  if (of === undefined && shares !== undefined) {
    return { name: 'Aquarius share token', positionTypes: ['lp'], status: 'active', version: '' }
  }
  if (of === undefined) return null
  const described = describePool(state, of, network)
  const name = of.tokens.length === 0 ? 'Aquarius' : described.name
  return shares === undefined ? { ...described, name: `${name} gauge`, positionTypes: [] } : { ...described, name: `${name} share token` }
}

function describePool(state: AquariusState, pool: PoolState, network: Network): ContractDescription {
  const instance = pool.instance?.value
  // `0.003` is `0.3%`.
  const fee = instance === undefined ? [] : [`${new Decimal(feeText(instance)).times(100).toFixed()}%`]
  return {
    name: `${poolName(state, pool.tokens, network)} (${[KINDS[poolType(pool)], ...fee].join(' ')})`,
    positionTypes: ['lp'],
    status: poolStatus(pool),
    version: instance === undefined ? '' : instance.isKnownBuild ? releaseName(instance.release) : instance.code.slice(0, 8),
  }
}
