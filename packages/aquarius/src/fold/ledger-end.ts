// The end of one ledger, as the steps of the fold see it.

import type { LedgerEnd } from '@orrery/fold-kit'
import type { AquariusState, PoolState } from '../state/state.ts'
import type { ValuedPool } from '../view/valuation.ts'

export type Moment = LedgerEnd<AquariusState, PoolState, ValuedPool>
