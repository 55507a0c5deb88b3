// All state of Blend, entry by entry, and the state before the first ledger.

import { lossFact, StateEntries, smallFact, tokenFact } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { Pricing } from '@orrery/pricing'
import type { BlendDeployment, Network } from '@orrery/protocol-kit'
import { knownPools } from '../registry.ts'
import { auction, backstopUser, backstopUserEmission, cost, healthStep, positions, userEmission } from './account.ts'
import { backfillEmissions, backfilled, backstop, lastDistribution, lpValue, rewardZone } from './backstop.ts'
import { balance } from './balance.ts'
import { lpBalance, records, swapFee, totalShares, wholeLife } from './comet.ts'
import { registeredContracts } from './contracts.ts'
import { emission, emissionConfig, emissionShares } from './emissions.ts'
import { dropped, emitter, lastDistributionOf, queuedSwap } from './emitter.ts'
import { listing, pool, reserveList } from './pool.ts'
import { backstopEmission, backstopEmissionConfig, backstopWaiting, poolBackstop } from './pool-backstop.ts'
import { config, data, queued } from './reserve.ts'
import { type BlendState, ownedPoolOf, PoolState } from './state.ts'

export const small = smallFact<BlendState>((state, contract) => ownedPoolOf(state, contract)?.small ?? null, 'pool')
const loss = lossFact<BlendState>(ownedPoolOf, 'pool')
export const token = tokenFact<BlendState>()

const OF_POOLS = [pool, reserveList, config, data, queued, emissionShares, emission, emissionConfig]
const OF_POOL_BACKSTOPS = [poolBackstop, backstopEmission, backstopEmissionConfig, backstopWaiting]
const OF_ACCOUNTS = [positions, userEmission, backstopUser, backstopUserEmission, auction, cost, healthStep, small]
const OF_BACKSTOPS = [backstop, rewardZone, lastDistribution, lpValue, backfillEmissions, backfilled]
const OF_EMITTERS = [emitter, queuedSwap, lastDistributionOf, dropped]
const OF_COMETS = [records, totalShares, swapFee, lpBalance, wholeLife]

export const ENTRIES = new StateEntries<BlendState>([
  listing,
  ...OF_POOLS,
  ...OF_POOL_BACKSTOPS,
  ...OF_ACCOUNTS,
  loss,
  balance,
  ...OF_BACKSTOPS,
  ...OF_EMITTERS,
  ...OF_COMETS,
  token,
])

/** Nothing but the pools that the registry names, with their deployment where it names their factory. */
export function emptyState(network: Network, pricing: Pricing): BlendState {
  return {
    ledger: 0,
    contracts: registeredContracts(network),
    pools: new Map(knownPools(network).map(({ contract }) => [contract, new PoolState(contract, deploymentOf(contract, network))])),
    backstops: new Map(),
    comets: new Map(),
    emitters: new Map(),
    assets: new Map(),
    pricing: pricing.empty(),
  }
}

function deploymentOf(contract: ContractId, network: Network): BlendDeployment | null {
  const factory = network.knownPools.find((known) => known.contract === contract)?.factory
  return network.deployments.blend.find((deployment) => deployment.factory === factory) ?? null
}
