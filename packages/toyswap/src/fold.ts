// The steps of the fold: entries to state, events to actions, changes to snapshots.

import * as kit from '@orrery/fold-kit'
import type { Network } from '@orrery/protocol-kit'
import { readAction, readNewPool } from './chain.ts'
import { factoriesOf } from './registry.ts'
import { type Changes, listing, type Pool, pool, type State, shares } from './state.ts'
import { assetInfo, tokensOf, valuePool, worthOf } from './view.ts'

type End = kit.LedgerEnd<State, Pool, NonNullable<ReturnType<typeof valuePool>>>

export function steps(network: Network): kit.FoldSteps<State, State, Changes, kit.OperationRecords, kit.DerivedActions, End> {
  const factories = new Set(factoriesOf(network))
  return {
    directory: (state) => state,
    applyRecords({ state, slice, journal }) {
      const context = { state, journal, changes: new Map() }
      for (const { record } of slice.records) {
        const made = record.kind === 'event' && factories.has(record.contract ?? '') ? readNewPool(record) : null
        if (made === null || record.contract === null) continue
        listing.write(context, { contract: record.contract ?? '', pool: made.pool }, { listed: true })
      }
      for (const { record } of slice.records) {
        if (!('key' in record) || !state.pools.has(record.contract)) continue
        const owner = kit.readBalanceHolder(record.key)
        if (kit.isInstanceKey(record.key)) pool.apply(record, { contract: record.contract }, context)
        else if (owner !== null) shares.apply(record, { contract: record.contract, owner }, context)
      }
      return context.changes
    },
    decimalsOf: (_, asset) => assetInfo(network, asset).decimals,
    ledgerEnd: (setting) => new kit.LedgerEnd(setting, valuePool),
    operationsOf: kit.operationRecords,
    deriveActions: ({ events }, state) => ({
      unused: [],
      actions: events.flatMap(({ record, owned }): kit.Action[] => {
        const of = state.pools.get(record.contract ?? '')
        const read = of === undefined ? null : readAction(record)
        if (of === undefined || read === null) return []
        const legs = [read.a, read.b].map((given, n) => ({
          ...{ owned, contract: of.pool, address: read.who, counterparty: of.pool, asset: tokensOf(of)[n] ?? '', shareDecimals: 7 },
          ...{ amount: given < 0n ? -given : given, shares: n === 0 ? read.shares : 0n, shareType: 'lp_share' as const },
          ...{ direction: given < 0n ? ('out' as const) : ('in' as const), volume: read.type !== 'swap' || given > 0n, counts: n === 0 },
        }))
        return [{ type: read.type, eventIndex: record.index, legs, confidence: 1, metadata: {} }]
      }),
    }),
    unusedKind: 'event',
    valueLeg(leg, end) {
      const pool = end.state.pools.get(leg.contract)
      const token = pool && end.value(pool)?.tokens.find(({ info }) => info.asset === leg.asset)
      const value = token?.value(leg.amount) ?? null
      return { info: assetInfo(network, leg.asset), price: token?.price ?? null, usdValue: value === null ? null : kit.usdText(value) }
    },
    settle: () => undefined,
    takeSnapshots(end, changes) {
      const due = end.slice.hourStart ? [...end.state.pools.values()] : [...changes.keys()]
      const series = due.flatMap((of) => {
        const valued = end.value(of)
        if (valued === null) return []
        const holders = of.holders
        return {
          ...{ pool: of.pool, tokens: valued.tokens, reserves: valued.reserves, balances: valued.reserves, counters: null, native: {} },
          ...{ shareSupply: valued.supply, tvlUsd: valued.tvlUsd, unpricedAssets: valued.unpricedAssets, small: of.small, isLoss: false },
          ...{ isOpen: valued.supply > 0n, isChanged: changes.has(of), changedHolders: changes.get(of) ?? new Set<string>() },
          openHolders: () => holders.keys(),
          position: (address: string) => ({
            shares: holders.get(address)?.value ?? 0n,
            worth: worthOf(holders.get(address)?.value ?? 0n, valued),
          }),
        }
      })
      return kit.lpSnapshots(series, end.slice, end.journal)
    },
  }
}
