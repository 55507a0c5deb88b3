// The steps of the fold of share pools: entries to state, events to actions, changes to snapshots.

import type { EventRecord } from '@orrery/ledger'
import { isInstanceKey } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import type { Action } from '../action.ts'
import { type LedgerEnd, ledgerEnd } from '../ledger-end.ts'
import { type LpSeries, lpSnapshots } from '../lp-snapshots.ts'
import { type OperationRecords, operationRecords } from '../operation-records.ts'
import type { DerivedActions, FoldSteps } from '../run-fold.ts'
import { readBalanceHolder } from '../token-entries.ts'
import { usdText } from '../usd-units.ts'
import type { SharePool, SharePoolChanges, SharePoolState } from './share-pool.ts'
import type { SharePoolAmm } from './share-pool-amm.ts'
import { hintedAsset, sharesOf, type ValuedSharePool, valueSharePool, worthOfShares } from './share-pool-value.ts'

type End = LedgerEnd<SharePoolState, SharePool, ValuedSharePool>

/** Every partition lists all pools; a partition folds the entries, events and snapshots of its own. */
export function sharePoolSteps(
  amm: SharePoolAmm,
  network: Network,
): FoldSteps<SharePoolState, SharePoolState, SharePoolChanges, OperationRecords, DerivedActions, End> {
  const { listing, pool, shares } = amm.entries
  const factories = new Set(amm.factoriesOf(network))
  return {
    directory: (state) => state,
    applyRecords({ state, slice, journal }) {
      const context = { state, journal, changes: new Map() }
      // A pool's entries of the ledger that announces it may come before the announcement: pools are listed first.
      for (const { record } of slice.records) {
        if (record.kind !== 'event' || record.contract === null || !factories.has(record.contract)) continue
        const made = amm.readNewPool(record)
        if (made !== null) listing.write(context, { contract: record.contract, pool: made }, { listed: true })
      }
      for (const { record } of slice.records) {
        if (!('key' in record) || !state.pools.has(record.contract)) continue
        const { contract, key } = record
        const owner = readBalanceHolder(key)
        if (isInstanceKey(key)) pool.apply(record, { contract }, context)
        else if (owner !== null) shares.apply(record, { contract, owner }, context)
      }
      return context.changes
    },
    decimalsOf: (_, asset) => hintedAsset(network, asset).decimals,
    ledgerEnd: (context) => ledgerEnd(context, valueSharePool),
    operationsOf: operationRecords,
    deriveActions: ({ events }, { pools }) => ({
      unused: [],
      actions: events.flatMap(({ record, owned }) => actionOf(amm, record, owned, pools.get(record.contract ?? '')) ?? []),
    }),
    unusedKind: 'event',
    valueLeg({ contract, asset, amount }, end) {
      const of = end.state.pools.get(contract)
      const token = of && end.value(of)?.tokens.find(({ info }) => info.asset === asset)
      const value = token?.value(amount) ?? null
      return { info: hintedAsset(network, asset), price: token?.price ?? null, usdValue: value === null ? null : usdText(value) }
    },
    settle: () => undefined,
    takeSnapshots(end, changes) {
      const due = end.slice.hourStart ? [...end.state.pools.values()] : [...changes.keys()]
      const valued = due.flatMap((of) => end.value(of) ?? [])
      return lpSnapshots(
        valued.map((of) => seriesOf(of, changes)),
        end.slice,
        end.journal,
      )
    },
  }
}

/** A leg for each token. Shares are on the first, which is the one that counts; of a swap only what is given is volume. */
function actionOf(amm: SharePoolAmm, record: EventRecord, owned: boolean, pool: SharePool | undefined): Action | null {
  const read = pool === undefined ? null : amm.readAction(record)
  if (pool === undefined || read === null) return null
  const { type, who, given, shares } = read
  const legs = given.map((amount, n) => ({
    owned,
    contract: pool.pool,
    address: who,
    counterparty: pool.pool,
    asset: pool.instance?.value.tokens[n] ?? '',
    amount: amount < 0n ? -amount : amount,
    shares: n === 0 ? shares : 0n,
    shareType: 'lp_share' as const,
    shareDecimals: amm.shareDecimals,
    direction: amount < 0n ? ('out' as const) : ('in' as const),
    volume: type !== 'swap' || amount > 0n,
    counts: n === 0,
  }))
  return { type, eventIndex: record.index, legs, confidence: 1, metadata: {} }
}

function seriesOf(valued: ValuedSharePool, changes: SharePoolChanges): LpSeries {
  const { pool, reserves, supply } = valued
  return {
    ...valued,
    pool: pool.pool,
    balances: reserves,
    shareSupply: supply,
    counters: null,
    native: {},
    isOpen: supply > 0n,
    isChanged: changes.has(pool),
    changedHolders: changes.get(pool) ?? new Set(),
    isLoss: false,
    small: pool.small,
    openHolders: () => pool.holders.keys(),
    position(address) {
      const shares = sharesOf(pool, address)
      return { shares, worth: worthOfShares(shares, valued) }
    },
  }
}
