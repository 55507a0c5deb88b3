// Soroswap's part of every step of the fold.

import { type FoldSteps, type Leg, ledgerEnd, usdText, type ValuedLeg } from '@orrery/fold-kit'
import type { Network } from '@orrery/protocol-kit'
import type { Changes } from '../state/changes.ts'
import type { SoroswapState } from '../state/state.ts'
import { assetInfo, shareAsset } from '../view/asset.ts'
import { valueShares } from '../view/position.ts'
import { valuePair } from '../view/valuation.ts'
import type { Derived } from './action.ts'
import { deriveActions } from './activity.ts'
import { applyRecords } from './apply-records.ts'
import { applyCosts } from './costs.ts'
import { applyCounters } from './counters.ts'
import { type Directory, directoryFor } from './directory.ts'
import { checkSupply } from './invariants.ts'
import type { SoroswapLedgerEnd } from './ledger-end.ts'
import { type Operation, operationsOf } from './operation.ts'
import { takeSnapshots } from './snapshots.ts'

export function soroswapSteps(network: Network): FoldSteps<SoroswapState, Directory, Changes, Operation, Derived, SoroswapLedgerEnd> {
  return {
    directory: directoryFor(network),
    applyRecords,
    decimalsOf: (state, asset) => assetInfo(state, asset, network).decimals,
    ledgerEnd: (context) => ledgerEnd(context, valuePair),
    operationsOf,
    deriveActions,
    unusedKind: 'event',
    valueLeg,
    settle(end, operations, changes) {
      const movements = operations.flatMap(({ derived }) => derived.movements)
      applyCosts(end, movements, changes)
      applyCounters(
        end,
        operations.map(({ operation }) => operation),
        changes,
      )
      checkSupply(changes, end.journal)
    },
    takeSnapshots,
  }
}

/** A leg of a pair's token at the pair's prices; shares at what the pair would pay for them. */
function valueLeg(leg: Leg, end: SoroswapLedgerEnd): ValuedLeg {
  const { state, network, journal } = end
  if (leg.asset === '') return { info: null, price: null, usdValue: '0' }
  const pair = state.pairs.get(leg.contract)
  const valued = pair === undefined ? null : end.value(pair)
  if (leg.asset === leg.contract) {
    const net = valued === null ? null : valueShares(leg.amount, valued).netUsd
    return { info: shareAsset(state, leg.asset, network), price: null, usdValue: net === null ? null : usdText(net) }
  }
  const info = assetInfo(state, leg.asset, network)
  if (info.decimals === null) journal.notice(leg.asset, 'asset', 'decimals are unknown')
  const token = valued?.tokens.find((it) => it.info.asset === leg.asset)
  const value = token?.value(leg.amount) ?? null
  return { info, price: token?.price ?? null, usdValue: value === null ? null : usdText(value) }
}
