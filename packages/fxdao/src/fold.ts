// One slice in, rows out. The only file that knows about order:
// entries -> prices -> activities -> costs -> snapshots.
// Entries come first: they are the ledger's end, and everything of a ledger is valued there, so its actions have one price.

import { assert } from '@orrery/errors'
import { activityRows, Journal, type Leg, operationRecords, transactionRows, usdText, type ValuedLeg } from '@orrery/fold-kit'
import type { Pricing } from '@orrery/pricing'
import type { Network, Rows, Slice } from '@orrery/protocol-kit'
import { type Directory, deriveActions } from './activity.ts'
import { applyRecords } from './apply-records.ts'
import { assetInfo } from './asset.ts'
import { applyStakeCosts, applyVaultCosts } from './cost-facts.ts'
import { Moment, settingOf } from './moment.ts'
import { takeSnapshots } from './snapshots.ts'
import type { FxdaoState } from './state.ts'

/** What a fold knows beyond its state: all of it from the registry. */
export interface FoldContext {
  readonly network: Network
  readonly pricing: Pricing
}

export function fold(state: FxdaoState, slice: Slice, { network, pricing }: FoldContext): Rows {
  assert(slice.ledger > state.ledger, 'A slice is folded once, and in order.', { ledger: slice.ledger, state: state.ledger })
  state.ledger = slice.ledger
  const journal = new Journal(slice)
  const isPriceSource = (contract: string) =>
    network.oracles.some((oracle) => oracle.contract === contract) || pricing.isPricePool(contract)

  const changes = applyRecords(state, slice, isPriceSource, journal)
  const prices = pricing.apply(state.pricing, slice, (asset) => assetInfo(state, asset, network).decimals)
  const moment = new Moment(state, slice, network, pricing)

  const directory = directoryOf(state)
  const told = operationRecords(slice).map((operation) => ({ operation, derived: deriveActions(operation, directory) }))
  for (const { derived } of told) {
    for (const { contract, reason, expected } of derived.unused) if (!expected) journal.notice(contract, 'call', reason)
  }
  const activities = told.flatMap(({ operation, derived }) =>
    derived.actions.flatMap((action) => activityRows(operation, action, slice, (leg) => valueLeg(leg, moment, journal))),
  )
  applyVaultCosts(
    told.flatMap(({ derived }) => derived.steps),
    changes.vaults,
    directory.setting,
    moment,
    journal,
  )
  applyStakeCosts(
    told.flatMap(({ derived }) => derived.stakes),
    changes.stakes,
    moment,
    journal,
  )
  if (changes.currencies.size > 0 || changes.vaults.size > 0) checkTotals(state, journal)
  const snapshots = takeSnapshots(moment, changes, slice, journal)
  forget(state)
  return {
    state: [...prices.state, ...journal.state()],
    prices: prices.prices,
    ...snapshots,
    activities,
    transactions: transactionRows(told, slice),
    notices: [...prices.notices, ...journal.notices()],
  }
}

function directoryOf(state: FxdaoState): Directory {
  const lockings = [...state.locking.values()]
  const rewardsOf = (contract: string) => state.locking.get(contract)?.rewardsAsset?.value ?? null
  return {
    setting: settingOf(state),
    vaults: state.vaultsContract,
    lockingPools: new Set(state.locking.keys()),
    stakedAssets: new Set(lockings.flatMap(({ contract, pools }) => [...pools.keys(), ...[rewardsOf(contract) ?? []].flat()])),
    rewardsOf,
  }
}

function valueLeg({ asset, amount }: Leg, moment: Moment, journal: Journal): ValuedLeg {
  if (asset === '') return { info: null, price: null, usdValue: '0' }
  const token = moment.token(asset)
  if (token.info.decimals === null) journal.notice(asset, 'asset', 'decimals are unknown')
  const value = token.value(amount)
  return { info: token.info, price: token.price, usdValue: value === null ? null : usdText(value) }
}

/**
 * The stored count of a currency is that of its vaults, and its collateral is theirs. Its debt need not be: evictions leave it behind.
 * Holds where the index has seen every vault from its opening on.
 */
function checkTotals(state: FxdaoState, journal: Journal): void {
  for (const [denomination, { value: totals }] of state.totals) {
    const vaults = [...state.vaults.values()].filter((it) => it.denomination === denomination && it.vault !== null)
    if (BigInt(vaults.length) > totals.vaults) {
      journal.notice(state.vaultsContract, 'invariant', `more vaults of ${denomination} than the contract counts`)
    }
    if (BigInt(vaults.length) !== totals.vaults) continue
    const collateral = vaults.reduce((sum, { vault }) => sum + (vault?.value.collateral ?? 0n), 0n)
    if (collateral !== totals.collateral) {
      journal.notice(state.vaultsContract, 'invariant', `collateral of ${denomination} differs from the sum of its vaults`)
    }
  }
}

/** A vault that is gone keeps its cost for when it is opened again; one without either is nothing. */
function forget(state: FxdaoState): void {
  for (const [name, { vault, collateralCost }] of state.vaults) if (vault === null && collateralCost === null) state.vaults.delete(name)
}
