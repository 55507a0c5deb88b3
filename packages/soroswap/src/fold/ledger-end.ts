// The end of one ledger, as the steps of the fold see it.

import type { LedgerEnd } from '@orrery/fold-kit'
import type { PairState, SoroswapState } from '../state/state.ts'
import type { ValuedPair } from '../view/valuation.ts'

export type Moment = LedgerEnd<SoroswapState, PairState, ValuedPair>
