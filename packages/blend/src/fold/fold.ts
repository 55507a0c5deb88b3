// Blend's part of every step of the fold.

import type { FoldSteps } from '@orrery/fold-kit'
import type { Network } from '@orrery/protocol-kit'
import type { Changes } from '../state/changes.ts'
import type { BlendState } from '../state/state.ts'
import { assetInfo } from '../view/asset.ts'
import type { Derived } from './action.ts'
import { deriveActions } from './activity.ts'
import { applyRecords } from './apply-records.ts'
import { applyCosts } from './costs.ts'
import { type Directory, directoryOf } from './directory.ts'
import { checkLpSupply, checkSums } from './invariants.ts'
import { type Moment, momentOf } from './ledger-end.ts'
import { valueLeg } from './leg-value.ts'
import { type Operation, operationsOf } from './operation.ts'
import { takeSnapshots } from './snapshots.ts'
import { noticeUnreadOracles } from './unread-oracles.ts'

export function blendSteps(network: Network): FoldSteps<BlendState, Directory, Changes, Operation, Derived, Moment> {
  return {
    directory: directoryOf,
    applyRecords,
    decimalsOf: (state, asset) => assetInfo(state, asset, network).decimals,
    ledgerEnd: momentOf,
    operationsOf,
    deriveActions: (operation, _, moment) => deriveActions(operation, moment),
    unusedKind: 'event',
    valueLeg,
    settle(moment, operations, changes) {
      const movements = operations.flatMap(({ derived }) => derived.movements)
      applyCosts(moment, movements, changes)
      checkSums(changes, moment.journal)
      checkLpSupply(moment)
      noticeUnreadOracles(moment)
    },
    takeSnapshots,
  }
}
