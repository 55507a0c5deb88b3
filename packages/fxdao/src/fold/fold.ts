// FxDAO's part of every step of the fold.

import { type FoldSteps, type Leg, type OperationRecords, operationRecords, usdText, type ValuedLeg } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { Changes, FxdaoState } from '../state/state.ts'
import { assetInfo } from '../view/asset.ts'
import { Valuation } from '../view/valuation.ts'
import { type Derived, deriveActions } from './activity.ts'
import { applyRecords } from './apply-records.ts'
import { applyStakeCosts, applyVaultCosts } from './costs.ts'
import { directoryOf } from './directory.ts'
import { checkTotals } from './invariants.ts'
import type { LedgerEnd } from './ledger-end.ts'
import { takeSnapshots } from './snapshots.ts'

export function fxdaoSteps(
  network: Network,
): FoldSteps<FxdaoState, ReadonlySet<ContractId>, Changes, OperationRecords, Derived, LedgerEnd> {
  const sources = pricesOf(network).sources()
  return {
    directory: () => sources,
    applyRecords,
    decimalsOf: (state, asset) => assetInfo(state, asset, network).decimals,
    ledgerEnd: ({ state, slice, journal, pricing }) => ({
      valuation: new Valuation(state, slice, network, pricing),
      slice,
      journal,
      directory: directoryOf(state),
    }),
    operationsOf: operationRecords,
    deriveActions: (operation, _, { directory }) => deriveActions(operation, directory),
    unusedKind: 'call',
    valueLeg,
    settle(end, operations, changes) {
      const steps = operations.flatMap(({ derived }) => derived.steps)
      const stakes = operations.flatMap(({ derived }) => derived.stakes)
      applyVaultCosts(steps, changes.vaults, end)
      applyStakeCosts(stakes, changes.stakes, end)
      if (changes.currencies.size > 0 || changes.vaults.size > 0) checkTotals(end.valuation.state, end.journal)
    },
    takeSnapshots(end, changes) {
      const snapshots = takeSnapshots(end, changes)
      forget(end.valuation.state)
      return snapshots
    },
  }
}

function valueLeg({ asset, amount }: Leg, { valuation, journal }: LedgerEnd): ValuedLeg {
  if (asset === '') return { info: null, price: null, usdValue: '0' }
  const token = valuation.token(asset)
  if (token.info.decimals === null) journal.notice(asset, 'asset', 'decimals are unknown')
  const value = token.value(amount)
  return { info: token.info, price: token.price, usdValue: value === null ? null : usdText(value) }
}

/** A closed vault keeps its cost in the state, for when it is opened again; one without a cost is dropped. */
function forget(state: FxdaoState): void {
  for (const [name, { vault, collateralCost }] of state.vaults) if (vault === null && collateralCost === null) state.vaults.delete(name)
}
