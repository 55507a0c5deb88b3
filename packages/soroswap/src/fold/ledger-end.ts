// The end of one ledger, for the steps of the fold.

import type { LedgerEnd } from '@orrery/fold-kit'
import type { PairState, SoroswapState } from '../state/state.ts'
import type { ValuedPair } from '../view/valuation.ts'

export type SoroswapLedgerEnd = LedgerEnd<SoroswapState, PairState, ValuedPair>
