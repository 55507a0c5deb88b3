// An index on the real engine, whose ledgers have activities and positions of several accounts, as a test writes them.

import { encodeStrkey } from '@orrery/ledger'
import { type ActivityRow, NO_ROWS, type PositionSnapshotRow, type Rows, rowNumber } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { openReadModel, openStore, type ReadModel, type Store } from '@orrery/read-model'
import type { TestDatabase } from '@orrery/read-model/testing'

const PROTOCOL = PROTOCOLS.find(({ id }) => id === 'blend')?.id ?? 'blend'
const VERSION = 1
export const POOL = encodeStrkey('C', new Uint8Array(32).fill(31))
export const ACCOUNTS: readonly string[] = Array.from({ length: 5 }, (_, n) => encodeStrkey('G', new Uint8Array(32).fill(n + 1)))
export const FIRST_LEDGER = 100

/** 14 November 2023, 22:13:20 UTC, and five seconds for each ledger. */
export const closeTimeOf = (ledger: number): number => 1_700_000_000 + ledger * 5
const hashOf = (ledger: number): string => ledger.toString(16).padStart(64, '0')

export interface IndexedLedgers extends AsyncDisposable {
  readonly readModel: ReadModel
  /** Appends a ledger with an activity of each account, and more rows. */
  write(accounts: readonly string[], more?: Partial<Rows>): Promise<number>
  /** Appends several of them at once. */
  writeMany(count: number, accounts: readonly string[]): Promise<void>
}

export async function indexedLedgers(database: TestDatabase): Promise<IndexedLedgers> {
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'), { tipForMs: 20 })
  await store.activateIfNone(PROTOCOL, VERSION, 1)
  let next = FIRST_LEDGER
  const append = async (count: number, rowsOf: (ledger: number) => Rows): Promise<void> => {
    const ledgers = Array.from({ length: count }, (_, n) => next + n)
    await store.writeLedgers(
      ledgers.map((ledger) => ({ ledger, closeTimeSeconds: closeTimeOf(ledger), hash: hashOf(ledger) })),
      BigInt(next),
    )
    await store.write(ledgers.map(rowsOf), VERSION)
    next += count
    await setCheckpoint(store, next - 1)
  }
  const rows = (ledger: number, accounts: readonly string[]): Rows => ({
    ...NO_ROWS,
    activities: accounts.map((address, n) => activity(ledger, n, address)),
  })
  return {
    readModel,
    async write(accounts, more = {}) {
      const ledger = next
      await append(1, () => ({ ...rows(ledger, accounts), ...more }))
      return ledger
    },
    writeMany: (count, accounts) => append(count, (ledger) => rows(ledger, accounts)),
    async [Symbol.asyncDispose]() {
      await readModel[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

function activity(ledger: number, txOrder: number, address: string): ActivityRow {
  return {
    ...{ protocol: PROTOCOL, key: { ledger, txOrder: txOrder + 1, opIndex: 0, eventIndex: 0, row: rowNumber(PROTOCOL, 0) } },
    ...{ closeTimeSeconds: closeTimeOf(ledger), txHash: hashOf(ledger * 1_000 + txOrder), address, activityType: 'deposit' },
    ...{ contract: POOL, counterparty: POOL, assetId: POOL, assetSymbol: 'USDC', assetDecimals: 7, amount: 10_000_000n },
    ...{ shareAmount: 0n, shareDecimals: 7, shareType: '', usdValue: '1', volumeUsd: '1', counts: 1, actionId: '0'.repeat(32) },
    ...{ direction: 'sent', confidence: 1, priceUsd: '1', priceSource: '', priceAgeSeconds: 0, metadata: { event: 'supply' } },
  }
}

/** A position whose health factor is the collateral, of a debt of 1 USD. */
export function position(ledger: number, address: string, collateral: string): PositionSnapshotRow {
  return {
    ...{ protocol: PROTOCOL, address, pool: POOL, ledger, closeTimeSeconds: closeTimeOf(ledger), heartbeat: false, open: true },
    ...{ suppliedUsd: '7', borrowedUsd: '1', depositedUsd: '7', netUsd: '6', effectiveCollateralUsd: collateral },
    ...{ effectiveLiabilitiesUsd: '1', netApy: null, unpricedAssets: 0, shares: 1n, native: {} },
  }
}

async function setCheckpoint(store: Store, ledger: number): Promise<void> {
  const [at, closeTimeSeconds] = [{ protocol: PROTOCOL, partition: 0 }, closeTimeOf(ledger)]
  await store.moveCheckpoint(at, VERSION, { ledger, closeTimeSeconds, offset: 1n, rollingHash: '0'.repeat(16) })
  await store.reportHealth([
    {
      ...at,
      ...{ indexVersion: VERSION, reportedAtMs: closeTimeSeconds * 1000, state: 'running', checkpointLedger: ledger },
      ...{ checkpointCloseTimeSeconds: closeTimeSeconds, seenLedger: ledger, seenCloseTimeSeconds: closeTimeSeconds, sourceEnded: true },
      ...{ sourceHeardAtMs: 0, progressedAtMs: closeTimeSeconds * 1000, gap: null, error: '', errorsLastHour: 0, contractsTracked: 1 },
    },
  ])
}
