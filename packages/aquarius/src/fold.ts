// temporary
import { Journal } from '@orrery/fold-kit'
import type { Pricing } from '@orrery/pricing'
import type { Network, Rows, Slice } from '@orrery/protocol-kit'
import { applyRecords } from './apply-records.ts'
import type { DirectoryOf } from './directory.ts'
import type { AquariusState } from './state.ts'

export interface FoldContext {
  readonly network: Network
  readonly pricing: Pricing
  readonly directoryOf: DirectoryOf
}

export function fold(state: AquariusState, slice: Slice, { pricing, directoryOf }: FoldContext): Rows {
  state.ledger = slice.ledger
  const journal = new Journal(slice)
  const directory = directoryOf(state)
  applyRecords(state, slice, directory, journal)
  const prices = pricing.apply(state.pricing, slice)
  return {
    state: [...prices.state, ...journal.state()],
    prices: prices.prices,
    positionSnapshots: [],
    reserveSnapshots: [],
    poolSnapshots: [],
    activities: [],
    transactions: [],
    notices: [...prices.notices, ...journal.notices()],
  }
}
