// Actions -> rows: keys, values in USD, and the row of the transaction.
// `row` counts over the whole action, so legs that several partitions write never meet; only owned legs are written.

import { readMemo, type TransactionFacts } from '@orrery/ledger'
import { scaledText } from '@orrery/pricing'
import {
  type ActivityRow,
  type AssetInfo,
  type EventKey,
  encodeEventKey,
  type Price,
  rowNumber,
  type Slice,
  type TransactionRow,
} from '@orrery/protocol-kit'
import type { Action, Leg } from './action.ts'

/** Where an action happened. */
export interface ActionPlace {
  readonly transaction: TransactionFacts
  readonly opIndex: number
}

/** A leg's asset, and its value at the ledger's end. */
export interface ValuedLeg {
  readonly info: AssetInfo | null
  readonly price: Price | null
  /** Scale 8, null when unknown. */
  readonly usdValue: string | null
}

export function activityRows(place: ActionPlace, action: Action, slice: Slice, value: (leg: Leg) => ValuedLeg): ActivityRow[] {
  const first = keyOf(place, action, slice, 0)
  const actionId = encodeEventKey(first)
  return action.legs.flatMap((leg, n) => {
    if (!leg.owned) return []
    const { info, price, usdValue } = value(leg)
    return [
      {
        protocol: slice.protocol,
        key: { ...first, row: rowNumber(slice.protocol, n) },
        closeTimeSeconds: slice.closeTimeSeconds,
        txHash: place.transaction.hash,
        address: leg.address,
        activityType: leg.type ?? action.type,
        contract: leg.contract,
        counterparty: leg.counterparty,
        assetId: leg.asset,
        assetSymbol: info?.symbol ?? '',
        assetDecimals: info === null ? 0 : info.decimals,
        amount: leg.amount,
        shareAmount: leg.shares,
        shareDecimals: leg.shareDecimals,
        shareType: leg.shares > 0n ? leg.shareType : '',
        usdValue,
        volumeUsd: leg.volume ? (usdValue ?? '0') : '0',
        counts: leg.counts ? 1 : 0,
        actionId,
        direction: directionOf(leg),
        confidence: action.confidence,
        priceUsd: price?.usd ?? null,
        priceSource: price?.source ?? '',
        priceAgeSeconds: price === null ? 0 : Math.max(0, slice.closeTimeSeconds - price.observedAtSeconds),
        metadata: { ...action.metadata, ...leg.metadata, ...pathStepOf(leg), ...debtChangeOf(leg, info) },
      } satisfies ActivityRow,
    ]
  })
}

/** Seen from the account of the leg. */
function directionOf({ direction, pathStep }: Leg): ActivityRow['direction'] {
  if (pathStep !== undefined || direction === '') return 'none'
  return direction === 'in' ? 'sent' : 'received'
}

function pathStepOf({ pathStep }: Leg): Action['metadata'] {
  return pathStep === undefined ? {} : { path_step: pathStep }
}

/** Whole units where the decimals are known; otherwise raw, as the amount is then. */
function debtChangeOf({ debtChange }: Leg, info: AssetInfo | null): Action['metadata'] {
  if (debtChange === undefined) return {}
  return { raw_debt_change: debtChange.toString(), debt_change: scaledText(debtChange, info?.decimals ?? 0) }
}

/** Rows of all partitions are counted: every partition derives the whole transaction. */
export function transactionRow(place: ActionPlace, activityRows: number, slice: Slice): TransactionRow {
  const { hash, txOrder, source, feeSource, feeCharged, memo: memoXdr } = place.transaction
  const memo = feeCharged === null ? { type: '' as const, value: '' } : readMemo(memoXdr)
  return {
    protocol: slice.protocol,
    txHash: hash,
    ledger: slice.ledger,
    txOrder,
    closeTimeSeconds: slice.closeTimeSeconds,
    source,
    feeSource: feeSource ?? '',
    feeCharged,
    memoType: memo.type,
    memo: memo.value,
    activityRows,
  }
}

function keyOf(place: ActionPlace, action: Action, slice: Slice, n: number): EventKey {
  return {
    ledger: slice.ledger,
    txOrder: place.transaction.txOrder,
    opIndex: place.opIndex,
    eventIndex: action.eventIndex,
    row: rowNumber(slice.protocol, n),
  }
}
