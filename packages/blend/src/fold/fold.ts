// One slice in, rows out. The only file that knows about order:
// entries -> prices -> activities -> costs -> invariants -> snapshots.
// Entries come first: they are the ledger's end, and everything of a ledger is valued there, so its actions have one price.

import { assert } from '@orrery/errors'
import { activityRows, Journal, noticeUnused, transactionRows } from '@orrery/fold-kit'
import type { Pricing } from '@orrery/pricing'
import type { Network, Rows, Slice } from '@orrery/protocol-kit'
import type { BlendState } from '../state/state.ts'
import { assetInfo } from '../view/asset.ts'
import { deriveActions } from './activity.ts'
import { applyRecords } from './apply-records.ts'
import { applyCosts } from './costs.ts'
import type { DirectoryOf } from './directory.ts'
import { checkLpSupply, checkSums } from './invariants.ts'
import { Moment } from './ledger-end.ts'
import { valueLeg } from './leg-value.ts'
import { operationsOf } from './operation.ts'
import { takeSnapshots } from './snapshots.ts'
import { noteUnreadOracles } from './unread-oracles.ts'

/** What a fold knows beyond its state: all of it from the registry. */
export interface FoldContext {
  readonly network: Network
  readonly pricing: Pricing
  readonly directoryOf: DirectoryOf
}

export function fold(state: BlendState, slice: Slice, { network, pricing, directoryOf }: FoldContext): Rows {
  assert(slice.ledger > state.ledger, 'A slice is folded once, and in order.', { ledger: slice.ledger, state: state.ledger })
  state.ledger = slice.ledger
  const journal = new Journal(slice)
  const directory = directoryOf(state)
  const moment = new Moment({ state, slice, journal, network, pricing }, directory)

  const changes = applyRecords(state, slice, directory, journal)
  const prices = pricing.apply(state.pricing, slice, (asset) => assetInfo(state, asset, network).decimals)

  const told = operationsOf(slice, directory).map((operation) => ({ operation, derived: deriveActions(operation, moment) }))
  noticeUnused(told, journal)
  const activities = told.flatMap(({ operation, derived }) =>
    derived.actions.flatMap((action) => activityRows(operation, action, slice, (leg) => valueLeg(leg, moment))),
  )
  const transactions = transactionRows(told, slice)

  applyCosts(
    moment,
    told.flatMap(({ derived }) => derived.movements),
    changes,
  )
  checkSums(changes, journal)
  checkLpSupply(state, slice.records, directory, journal)
  noteUnreadOracles(moment)
  const snapshots = takeSnapshots(moment, changes)

  return {
    state: [...prices.state, ...journal.state()],
    prices: prices.prices,
    ...snapshots,
    activities,
    transactions,
    notices: [...prices.notices, ...journal.notices()],
  }
}
