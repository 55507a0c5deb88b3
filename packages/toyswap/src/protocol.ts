// Toyswap as a value. It is deployed nowhere: the smallest constant product AMM, for tests and to copy from.

import { defineProtocol, emptySharePools, type SharePoolAmm, sharePoolEntries, sharePoolSteps, sharePoolView } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import {
  balanceName,
  CONTEXT_ONLY,
  ContractAddress,
  defineDeployment,
  deploymentsOf,
  LedgerSequence,
  type Network,
  OWNED,
  OWNED_AND_SHARED,
  type ProtocolRouting,
  type TrackedContract,
} from '@orrery/protocol-kit'
import { readAction, readNewPool, readPool } from './chain.ts'

const deployment = defineDeployment({ identity: 'factory', shape: { factory: ContractAddress, from_ledger: LedgerSequence } })

function factoriesOf(network: Network): readonly ContractId[] {
  return deploymentsOf(network, 'toyswap').map((it) => (it as typeof it & { readonly factory: ContractId }).factory)
}

function tracked(role: 'factory' | 'pool', contract: ContractId, fromLedger: number): TrackedContract {
  return { protocol: 'toyswap', contract, role, home: contract, balances: [], fromLedger }
}

/** A factory names its pools; a pool's records are its own partition's. */
const routing: ProtocolRouting = {
  protocol: 'toyswap',
  roots: (network) => [
    ...factoriesOf(network).map((contract) => tracked('factory', contract, network.firstLedger)),
    ...pricesOf(network).roots('toyswap'),
  ],
  discover(record, { role, fromLedger }) {
    const pool = role === 'factory' && record.kind === 'event' ? readNewPool(record) : null
    return pool === null ? [] : [tracked('pool', pool, fromLedger)]
  },
  // Every partition knows which pools there are.
  route(record, source, network) {
    if (source.role === 'factory') return OWNED_AND_SHARED
    return source.role === 'pool' ? OWNED : (pricesOf(network).route(record, source) ?? CONTEXT_ONLY)
  },
  bootstrap: (source, read, network) => pricesOf(network).bootstrap(source, read),
}

const amm: SharePoolAmm = {
  entries: sharePoolEntries(readPool, 'event `new_pool`'),
  shareDecimals: 7,
  factoriesOf,
  readNewPool,
  readAction,
}

export const toyswap = defineProtocol({
  id: 'toyswap',
  number: 250,
  displayName: 'Toyswap',
  version: 1,
  defaultPartitions: 2,
  deployment,
  pricePool: null,
  routing,
  entries: amm.entries.all,
  emptyState: emptySharePools,
  steps: (network) => sharePoolSteps(amm, network),
  accountEntries: {
    listings: factoriesOf,
    poolKeys: [amm.entries.pool.key],
    predatingPools: () => [],
    poolOf: ({ contract }) => contract,
    names: (pool, address) => [balanceName(pool, address)],
  },
  view: {
    kind: 'amm',
    page: 'pools',
    positionTypes: ['lp'],
    pool: 'a Toyswap pool',
    tvl: 'all reserves',
    indexingMode: 'event_driven',
    hasEmissions: false,
    experimental: ['positions', 'history'],
    of: (network) => sharePoolView(amm, network),
  },
})
