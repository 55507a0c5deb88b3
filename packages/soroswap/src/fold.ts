// One slice in, rows out. The only file that knows about order:
// entries -> prices -> activities -> costs -> counters -> snapshots.
// Entries come first: they are the ledger's end, and everything of a ledger is valued there, so its actions have one price.

import { assert } from '@orrery/errors'
import { activityRows, Journal, LedgerEnd, type Leg, noticeUnused, transactionRows, usdText, type ValuedLeg } from '@orrery/fold-kit'
import type { Pricing } from '@orrery/pricing'
import type { ActivityRow, Network, Rows, Slice } from '@orrery/protocol-kit'
import type { Derived } from './action.ts'
import { deriveActions } from './activity.ts'
import { applyRecords, type Changes } from './apply-records.ts'
import { assetInfo, shareAsset } from './asset.ts'
import { applyCosts } from './cost-facts.ts'
import { applyCounters } from './counter-facts.ts'
import type { DirectoryOf } from './directory.ts'
import type { Moment } from './moment.ts'
import { type Operation, operationsOf } from './operation.ts'
import { valueShares } from './position.ts'
import { takeSnapshots } from './snapshots.ts'
import type { SoroswapState } from './state.ts'
import { valuePair } from './valuation.ts'

/** What a fold knows beyond its state: all of it from the registry. */
export interface FoldContext {
  readonly network: Network
  readonly pricing: Pricing
  readonly directoryOf: DirectoryOf
}

export function fold(state: SoroswapState, slice: Slice, { network, pricing, directoryOf }: FoldContext): Rows {
  assert(slice.ledger > state.ledger, 'A slice is folded once, and in order.', { ledger: slice.ledger, state: state.ledger })
  state.ledger = slice.ledger
  const journal = new Journal(slice)
  const moment = new LedgerEnd({ state, slice, journal, network, pricing }, valuePair)
  const directory = directoryOf(state)

  const changes = applyRecords(state, slice, directory, journal)
  const prices = pricing.apply(state.pricing, slice, (asset) => assetInfo(state, asset, network).decimals)

  const told = operationsOf(slice, directory).map((operation) => ({ operation, derived: deriveActions(operation, directory) }))
  noticeUnused(told, journal)
  const activities = told.flatMap(({ operation, derived }) => rowsOf(operation, derived, moment))
  const transactions = transactionRows(told, slice)

  applyCosts(
    moment,
    told.flatMap(({ derived }) => derived.movements),
    changes,
  )
  applyCounters(
    moment,
    told.map(({ operation }) => operation),
    changes,
  )
  checkSupply(changes, journal)
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

function rowsOf(operation: Operation, { actions }: Derived, moment: Moment): ActivityRow[] {
  return actions.flatMap((action) => activityRows(operation, action, moment.slice, (leg) => valueLeg(leg, moment)))
}

/** A leg of a pair's token at the pair's prices; shares at what the pair would pay for them. */
function valueLeg(leg: Leg, moment: Moment): ValuedLeg {
  const { state, network, journal } = moment
  if (leg.asset === '') return { info: null, price: null, usdValue: '0' }
  const pair = state.pairs.get(leg.contract)
  const valued = pair === undefined ? null : moment.value(pair)
  if (leg.asset === leg.contract) {
    const net = valued === null ? null : valueShares(leg.amount, valued).netUsd
    return { info: shareAsset(state, leg.asset, network), price: null, usdValue: net === null ? null : usdText(net) }
  }
  const info = assetInfo(state, leg.asset, network)
  if (info.decimals === null) journal.notice(leg.asset, 'asset', 'decimals are unknown')
  const token = valued?.tokens.find((it) => it.info.asset === leg.asset)
  const value = token?.value(leg.amount) ?? null
  return { info, price: token?.price ?? null, usdValue: value === null ? null : usdText(value) }
}

/** Every share is somebody's. Holds for pairs whose whole life the index has seen. */
function checkSupply(changes: Changes, journal: Journal): void {
  for (const pair of changes.pairs) {
    const supply = pair.instance?.value.totalSupply
    if (pair.listing === null || supply === undefined || supply === pair.heldShares) continue
    journal.notice(pair.pair, 'invariant', 'supply differs from the sum of balances')
  }
}
