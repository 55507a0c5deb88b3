// Aquarius's part of every step of the fold.

import { type FoldSteps, type Leg, ledgerEnd, usdText, type ValuedLeg } from '@orrery/fold-kit'
import type { Network } from '@orrery/protocol-kit'
import type { Changes } from '../state/changes.ts'
import { burnt } from '../state/entries.ts'
import type { AquariusState } from '../state/state.ts'
import { assetInfo } from '../view/asset.ts'
import { valuePool } from '../view/valuation.ts'
import { worthOfShares } from '../view/worth.ts'
import type { Derived, Movement } from './action.ts'
import { deriveActions } from './activity.ts'
import { applyRecords } from './apply-records.ts'
import { applyCosts } from './costs.ts'
import { applyCounters } from './counters.ts'
import { type Directory, directoryFor } from './directory.ts'
import { checkInvariants } from './invariants.ts'
import type { Moment } from './ledger-end.ts'
import { type Operation, operationsOf } from './operation.ts'
import { takeSnapshots } from './snapshots.ts'

export function aquariusSteps(network: Network): FoldSteps<AquariusState, Directory, Changes, Operation, Derived, Moment> {
  return {
    directory: directoryFor(network),
    applyRecords,
    decimalsOf: (state, asset) => assetInfo(state, asset, network).decimals,
    ledgerEnd: (setting) => ledgerEnd(setting, valuePool),
    operationsOf,
    deriveActions,
    unusedKind: 'event',
    valueLeg,
    settle(end, derived, changes) {
      const operations = derived.map(({ operation }) => operation)
      const movements = derived.flatMap(({ derived: { movements } }) => movements)
      countBurnt(end, movements)
      applyCosts(end, movements, changes)
      applyCounters(end, operations, changes)
      checkInvariants(end.state, changes, operations, end.journal)
    },
    takeSnapshots,
  }
}

/** Shares that holders burnt by themselves: gone from balances, and counted by the pool for ever. */
function countBurnt(end: Moment, movements: readonly Movement[]): void {
  for (const { kind, pool: contract, shares } of movements) {
    const pool = kind === 'burn' ? end.state.pools.get(contract) : undefined
    if (pool !== undefined) burnt.write(end, { contract }, pool.burntShares + shares)
  }
}

/** A leg of a token at the pool's prices; shares at what the pool would pay for them. */
function valueLeg(leg: Leg, end: Moment): ValuedLeg {
  const { state, network, journal } = end
  if (leg.asset === '') return { info: null, price: null, usdValue: '0' }
  const pool = state.pools.get(leg.contract)
  const valued = pool === undefined ? null : end.value(pool)
  const info = assetInfo(state, leg.asset, network)
  if (state.shareTokens.get(leg.asset)?.pool === leg.contract) {
    const net = valued === null ? null : worthOfShares(leg.amount, valued).netUsd
    return { info, price: null, usdValue: net === null ? null : usdText(net) }
  }
  if (info.decimals === null) journal.notice(leg.asset, 'asset', 'decimals are unknown')
  const token = valued?.rewardToken(leg.asset)
  const value = token?.value(leg.amount) ?? null
  return { info, price: token?.price ?? null, usdValue: value === null ? null : usdText(value) }
}
