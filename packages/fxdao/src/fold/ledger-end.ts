// The end of one ledger, as costs and snapshots use it.

import type { Journal } from '@orrery/fold-kit'
import type { Slice } from '@orrery/protocol-kit'
import type { Valuation } from '../view/valuation.ts'
import type { Directory } from './directory.ts'

export interface LedgerEnd {
  readonly valuation: Valuation
  readonly slice: Slice
  readonly journal: Journal
  readonly directory: Directory
}
