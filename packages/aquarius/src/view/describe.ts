// What the contracts of Aquarius are: for answers that name them without valuing them.

import type { ContractId } from '@orrery/ledger'
import type { DecimalText, LpPool, LpPoolType, Network } from '@orrery/protocol-kit'
import { releaseName } from '../chain/release.ts'
import type { AquariusState, PoolState } from '../state/state.ts'
import { poolName } from './asset.ts'
import { poolStatus } from './position.ts'
import { feeText, poolType } from './valuation.ts'

/** What a contract of Aquarius is. */
export interface AquariusContract {
  readonly role: 'router' | 'pool' | 'share' | 'gauge'
  /** `AQUA/XLM` of pools and what belongs to them; '' of a router. */
  readonly name: string
  /** Of the pool; null of a router. */
  readonly poolType: LpPoolType | null
  /** Fraction of a swap's input; null while the instance is unknown. */
  readonly fee: DecimalText | null
  readonly status: LpPool['status']
  /** Release of its code, or the first 8 hex characters of the hash of an unknown build. */
  readonly version: string
}

export const describe = {
  router(state: AquariusState, router: ContractId): AquariusContract {
    const code = state.routers.get(router)?.instance?.value.code ?? ''
    return { role: 'router', name: '', poolType: null, fee: null, status: 'active', version: code.slice(0, 8) }
  },

  /** A pool, its share token or one of its gauges; null for anything else. */
  ofPool(state: AquariusState, contract: ContractId, network: Network): AquariusContract | null {
    const pool = state.pools.get(contract)
    if (pool !== undefined) return { ...factsOf(state, pool, network), role: 'pool' }
    const shares = state.pools.get(state.shareTokens.get(contract)?.pool ?? '')
    if (state.shareTokens.has(contract)) return { ...(shares ? factsOf(state, shares, network) : NAMELESS), role: 'share' }
    const gauged = state.pools.get(state.gaugePools.get(contract) ?? '')
    return gauged === undefined ? null : { ...factsOf(state, gauged, network), role: 'gauge' }
  },
}

/** A share token whose pool was not loaded. */
const NAMELESS = { name: '', poolType: null, fee: null, status: 'active', version: '' } as const

function factsOf(state: AquariusState, pool: PoolState, network: Network): Omit<AquariusContract, 'role'> {
  const instance = pool.instance?.value
  return {
    name: poolName(state, pool.tokens, network),
    poolType: poolType(pool),
    fee: instance === undefined ? null : feeText(instance),
    status: poolStatus(pool),
    version: instance === undefined ? '' : instance.isKnownBuild ? releaseName(instance.release) : instance.code.slice(0, 8),
  }
}
