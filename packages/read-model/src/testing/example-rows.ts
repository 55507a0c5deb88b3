// Valid rows for the read model's own tests, of which a test changes some members.

import type { ActivityRow, PoolSnapshotRow, PositionSnapshotRow, PriceRow, StateRow, TransactionRow } from '@orrery/protocol-kit'
import { declareProtocolNumber, rowNumber } from '@orrery/protocol-kit'

// As the protocol declares it.
declareProtocolNumber('soroswap', 3)

const POOL = `C${'P'.repeat(55)}`
const TOKEN = `C${'T'.repeat(55)}`
const ACCOUNT = `G${'A'.repeat(55)}`
export const EXAMPLE = { pool: POOL, token: TOKEN, account: ACCOUNT } as const

/** 2023-11-14T22:13:20Z and five seconds for each ledger. */
export function closeTimeOf(ledger: number): number {
  return 1_700_000_000 + ledger * 5
}

export function stateRow(change: Partial<StateRow> = {}): StateRow {
  const ledger = change.ledger ?? 100
  return {
    protocol: 'soroswap',
    contract: POOL,
    key: 'pair',
    ledger,
    closeTimeSeconds: closeTimeOf(ledger),
    owner: '',
    scope: 0,
    liveUntil: 0,
    durability: 'fact',
    removed: false,
    inferred: false,
    value: `{"at":"${ledger}"}`,
    ...change,
  }
}

export function activityRow(change: Partial<ActivityRow> = {}): ActivityRow {
  const key = change.key ?? { ledger: 100, txOrder: 1, opIndex: 0, eventIndex: 0, row: rowNumber('soroswap', 0) }
  return {
    protocol: 'soroswap',
    key,
    closeTimeSeconds: closeTimeOf(key.ledger),
    txHash: 'ab'.repeat(32),
    address: ACCOUNT,
    activityType: 'swap',
    contract: POOL,
    counterparty: POOL,
    assetId: TOKEN,
    assetSymbol: 'USDC',
    assetDecimals: 7,
    amount: 12_500_000n,
    shareAmount: 0n,
    shareDecimals: 7,
    shareType: '',
    usdValue: '1.25',
    volumeUsd: '1.25',
    counts: 1,
    actionId: '0'.repeat(32),
    direction: 'sent',
    confidence: 1,
    priceUsd: null,
    priceSource: '',
    priceAgeSeconds: 0,
    metadata: { event: 'swap' },
    ...change,
  }
}

export function transactionRow(change: Partial<TransactionRow> = {}): TransactionRow {
  return {
    protocol: 'soroswap',
    txHash: 'ab'.repeat(32),
    ledger: 100,
    txOrder: 1,
    closeTimeSeconds: closeTimeOf(100),
    source: ACCOUNT,
    feeSource: '',
    feeCharged: 123_456n,
    memoType: 'text',
    memo: 'invoice 7',
    activityRows: 2,
    ...change,
  }
}

export function positionSnapshotRow(change: Partial<PositionSnapshotRow> = {}): PositionSnapshotRow {
  const ledger = change.ledger ?? 100
  return {
    protocol: 'soroswap',
    address: ACCOUNT,
    pool: POOL,
    ledger,
    closeTimeSeconds: closeTimeOf(ledger),
    heartbeat: false,
    open: true,
    suppliedUsd: '10.5',
    borrowedUsd: '0',
    depositedUsd: '10.5',
    netUsd: '10.5',
    effectiveCollateralUsd: '0',
    effectiveLiabilitiesUsd: '0',
    netApy: null,
    unpricedAssets: 0,
    shares: 1_000n,
    native: { token_0: '5', token_1: '7' },
    ...change,
  }
}

export function poolSnapshotRow(change: Partial<PoolSnapshotRow> = {}): PoolSnapshotRow {
  const ledger = change.ledger ?? 100
  return {
    protocol: 'soroswap',
    pool: POOL,
    ledger,
    closeTimeSeconds: closeTimeOf(ledger),
    heartbeat: false,
    tvlUsd: '1000',
    unpricedAssets: 0,
    shareSupply: 1_000_000n,
    native: {},
    ...change,
  }
}

export function priceRow(change: Partial<PriceRow> = {}): PriceRow {
  const ledger = change.ledger ?? 100
  return {
    protocol: 'soroswap',
    asset: TOKEN,
    source: `oracle:${POOL}`,
    ledger,
    closeTimeSeconds: closeTimeOf(ledger),
    priceUsd: '0.1234',
    observedAtSeconds: closeTimeOf(ledger) - 60,
    ...change,
  }
}
