// One slice in, rows out. The only file that knows about order:
// entries -> prices -> activities -> costs -> counters -> snapshots.
// Entries come first: they are the ledger's end, and everything of a ledger is valued there, so its actions have one price.

import { assert } from '@orrery/errors'
import { activityRows, Journal, LedgerEnd, type Leg, noticeUnused, transactionRows, usdText, type ValuedLeg } from '@orrery/fold-kit'
import type { Pricing } from '@orrery/pricing'
import type { Network, Rows, Slice } from '@orrery/protocol-kit'
import type { AquariusState } from '../state/state.ts'
import { assetInfo } from '../view/asset.ts'
import { valuePool } from '../view/valuation.ts'
import { worthOfShares } from '../view/worth.ts'
import { deriveActions } from './activity.ts'
import { applyRecords } from './apply-records.ts'
import { countBurnt } from './burnt-shares.ts'
import { applyCosts } from './costs.ts'
import { applyCounters } from './counters.ts'
import type { DirectoryOf } from './directory.ts'
import { checkInvariants } from './invariants.ts'
import type { Moment } from './ledger-end.ts'
import { operationsOf } from './operation.ts'
import { takeSnapshots } from './snapshots.ts'

/** What a fold knows beyond its state: all of it from the registry. */
export interface FoldContext {
  readonly network: Network
  readonly pricing: Pricing
  readonly directoryOf: DirectoryOf
}

export function fold(state: AquariusState, slice: Slice, { network, pricing, directoryOf }: FoldContext): Rows {
  assert(slice.ledger > state.ledger, 'A slice is folded once, and in order.', { ledger: slice.ledger, state: state.ledger })
  state.ledger = slice.ledger
  const journal = new Journal(slice)
  const moment = new LedgerEnd({ state, slice, journal, network, pricing }, valuePool)
  const directory = directoryOf(state)

  const changes = applyRecords(state, slice, directory, journal)
  const prices = pricing.apply(state.pricing, slice, (asset) => assetInfo(state, asset, network).decimals)

  const operations = operationsOf(slice, directory)
  const told = operations.map((operation) => ({ operation, derived: deriveActions(operation, directory) }))
  noticeUnused(told, journal)
  const activities = told.flatMap(({ operation, derived }) =>
    derived.actions.flatMap((action) => activityRows(operation, action, slice, (leg) => valueLeg(leg, moment))),
  )
  const movements = told.flatMap(({ derived }) => derived.movements)
  countBurnt(moment, movements)
  applyCosts(moment, movements, changes)
  applyCounters(moment, operations, changes)
  checkInvariants(state, changes, operations, journal)
  const snapshots = takeSnapshots(moment, changes)

  return {
    state: [...prices.state, ...journal.state()],
    prices: prices.prices,
    ...snapshots,
    activities,
    transactions: transactionRows(told, slice),
    notices: [...prices.notices, ...journal.notices()],
  }
}

/** A leg of a token at the pool's prices; shares at what the pool would pay for them. */
function valueLeg(leg: Leg, moment: Moment): ValuedLeg {
  const { state, network, journal } = moment
  if (leg.asset === '') return { info: null, price: null, usdValue: '0' }
  const pool = state.pools.get(leg.contract)
  const valued = pool === undefined ? null : moment.value(pool)
  const info = assetInfo(state, leg.asset, network)
  if (state.shareTokens.get(leg.asset)?.pool === leg.contract) {
    const net = valued === null ? null : worthOfShares(leg.amount, valued).netUsd
    return { info, price: null, usdValue: net === null ? null : usdText(net) }
  }
  if (info.decimals === null) journal.notice(leg.asset, 'asset', 'decimals are unknown')
  const token = valued?.rewardToken(leg.asset)
  const value = token?.value(leg.amount) ?? null
  return { info, price: token?.price ?? null, usdValue: value === null ? null : usdText(value) }
}
