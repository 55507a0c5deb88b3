// What the records of one ledger are applied with.

import type { ApplyContext } from '@orrery/fold-kit'
import type { Changes } from '../state/changes.ts'
import type { AquariusState } from '../state/state.ts'
import type { Directory } from './directory.ts'

export interface ApplyingRecords extends ApplyContext<AquariusState, Changes> {
  readonly directory: Directory
}
