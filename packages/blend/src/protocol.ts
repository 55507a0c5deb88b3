// Blend as a value: what it follows, how its state is loaded, and the fold that turns slices into rows.

import type { ContractId } from '@orrery/ledger'
import { type Pricing, pricesOf } from '@orrery/pricing'
import {
  type Adapter,
  type BlendDeployment,
  declareProtocolNumber,
  MAX_PARTITIONS,
  type Network,
  type Protocol,
  type StateRow,
} from '@orrery/protocol-kit'
import { accountEntries } from './account-entries.ts'
import { deployment } from './deployment.ts'
import { directoryFor } from './directory.ts'
import { fold } from './fold.ts'
import { knownPools, routing } from './registry.ts'
import { type BlendState, emptyPool } from './state.ts'
import { takeRows } from './state-rows.ts'
import { blendView } from './view.ts'

/** Raised whenever the same slices would give other rows. */
const VERSION = 2

export const blend: Protocol<BlendState> = {
  id: 'blend',
  number: 1,
  displayName: 'Blend',
  defaultPartitions: 4,
  maxPartitions: MAX_PARTITIONS,
  deployment,
  pricePool: null,
  routing,
  adapter: blendAdapter,
  accountEntries,
  view: {
    kind: 'lending',
    positionTypes: ['supply', 'collateral', 'liability', 'backstop'],
    pool: 'a Blend pool',
    tvl: 'supplied minus borrowed, without the backstop',
    hasEmissions: true,
    experimental: [],
    of: blendView,
  },
}
declareProtocolNumber(blend.id, blend.number)

function blendAdapter(network: Network): Adapter<BlendState> {
  const pricing = pricesOf(network)
  const directoryOf = directoryFor(network)
  return {
    protocol: 'blend',
    version: VERSION,
    load: (rows, asOf) => loadState(rows, asOf, network, pricing),
    fold: (state, slice) => fold(state, slice, { network, pricing, directoryOf }),
  }
}

/** State at the end of `asOf`, or before the first ledger without rows. */
export function loadState(rows: Iterable<StateRow>, asOf: number, network: Network, pricing: Pricing): BlendState {
  const state = emptyState(asOf, network, pricing)
  takeRows(state, ownRows(rows, asOf, state, pricing), network)
  return state
}

/** Rows of pricing are taken by pricing. */
function* ownRows(rows: Iterable<StateRow>, asOf: number, state: BlendState, pricing: Pricing): Generator<StateRow> {
  for (const row of rows) if (row.ledger <= asOf && !pricing.take(state.pricing, row)) yield row
}

/** Nothing but the pools that the registry names, with their deployment where it names their factory. */
function emptyState(ledger: number, network: Network, pricing: Pricing): BlendState {
  return {
    ledger,
    pools: new Map(knownPools(network).map(({ contract }) => [contract, emptyPool(contract, deploymentOf(contract, network))])),
    backstops: new Map(),
    comets: new Map(),
    emitters: new Map(),
    assets: new Map(),
    pricing: pricing.empty(),
  }
}

function deploymentOf(pool: ContractId, { knownPools: known, deployments }: Network): BlendDeployment | null {
  const factory = known.find(({ contract }) => contract === pool)?.factory
  return deployments.blend.find((deployment) => deployment.factory === factory) ?? null
}
