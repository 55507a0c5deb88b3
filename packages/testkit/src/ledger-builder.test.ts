// The SDK checks built ledgers: it reads them, writes them again, and finds the hashes of the builder.

import { readBatch, readLedgerHeader, sc } from '@orrery/ledger'
import { hash as sha256, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import { describe, expect, it } from 'vitest'
import { ledgerBuilder } from './ledger-builder.ts'
import type { LedgerSpec, TransactionSpec } from './ledger-spec.ts'
import { testAccount, testContract } from './test-names.ts'

const pair = testContract('pair')
const token = testContract('token')
const reserve = sc.symbol('reserve')

const swap: TransactionSpec = {
  operations: [
    {
      call: { contract: pair, function: 'swap', args: [sc.i128(5n)] },
      auth: [
        { root: { call: { contract: pair, function: 'swap' }, under: [{ contract: token, function: 'transfer' }, 'create'] } },
        { authorizer: testContract('vault'), root: { contract: token, function: 'approve' } },
      ],
      events: [{ contract: token, topics: [sc.symbol('transfer')], data: sc.i128(5n) }],
      changes: [
        { contract: pair, key: reserve, change: 'updated', before: sc.i128(1n), value: sc.i128(6n), liveUntil: 5000 },
        { contract: pair, key: sc.symbol('new'), change: 'created', value: sc.u32(1), liveUntil: 5000 },
        { contract: pair, key: sc.symbol('gone'), durability: 'temporary', change: 'removed', before: sc.u32(1) },
        { contract: pair, key: sc.symbol('back'), change: 'restored', before: sc.u32(1), value: sc.u32(2), liveUntil: 5000 },
        { contract: pair, key: sc.instanceKey(), change: 'ttl', from: 2000, liveUntil: 9000 },
      ],
    },
  ],
}

const busy: LedgerSpec = {
  transactions: [
    swap,
    { ...swap, failed: true, feeSource: testAccount('sponsor') },
    { ...swap, feeSource: testAccount('sponsor') },
    { operations: [{ kind: 'payment' }, { kind: 'payment' }] },
    { operations: [{ kind: 'payment' }], oldEnvelope: true },
    { operations: [{ kind: 'create' }] },
    { operations: [{ kind: 'restore' }] },
    { operations: [{ kind: 'extend' }] },
  ],
  evicted: [{ contract: pair, key: sc.symbol('old') }],
}

describe('a built ledger', () => {
  // 29 did not change the wire format, and the SDK does not support 30.
  it.each([20, 21, 22, 23, 24, 25, 26, 27, 28, 29])(
    'a built ledger of protocol %i is read and written by the SDK without a change',
    (protocolVersion) => {
      const { ledger } = ledgerBuilder({ protocolVersion })
      for (const bytes of [ledger(busy), ledger()]) expect(Uint8Array.from(xdr.LedgerCloseMeta.fromXdr(bytes).toXdr())).toEqual(bytes)
    },
  )

  it.each([
    [0, 3],
    [1, 3],
    [1, 4],
    [2, 4],
    [2, 3],
  ] as const)('a built ledger of version %i with metas of version %i is read by the SDK', (version, metaVersion) => {
    const bytes = ledgerBuilder().ledger({ ...busy, version, metaVersion, ...(version === 0 ? { evicted: [] } : {}) })
    const meta = xdr.LedgerCloseMeta.fromXdr(bytes)
    expect(meta.type).toBe(`v${version}`)
    expect(Uint8Array.from(meta.toXdr())).toEqual(bytes)
  })

  it('a built ledger may lack the transaction set that consensus dropped', () => {
    const bytes = ledgerBuilder({ protocolVersion: 28 }).ledger({ emptyTxSet: true })
    expect(Uint8Array.from(xdr.LedgerCloseMeta.fromXdr(bytes).toXdr())).toEqual(bytes)
  })

  it('the SDK computes the same transaction hashes', () => {
    const { ledger, passphrase } = ledgerBuilder()
    const meta = xdr.LedgerCloseMeta.fromXdr(ledger(busy)).value as xdr.LedgerCloseMetaV2
    const envelopes = meta.txSet.value.phases.flatMap((phase) =>
      phase.type === 'v0Components'
        ? phase.v0Components.flatMap(({ txsMaybeDiscountedFee }) => txsMaybeDiscountedFee.txs)
        : phase.parallelTxsComponent.executionStages.flat(2),
    )
    const hashes = envelopes.map((envelope) => Buffer.from(TransactionBuilder.fromXDR(envelope, passphrase).hash()).toString('hex'))
    expect(hashes.toSorted()).toEqual(
      meta.txProcessing.map(({ result }) => Buffer.from(result.transactionHash.value).toString('hex')).toSorted(),
    )
    expect(hashes).toHaveLength(8)
  })

  it('a built ledger has the hash of its header, and the next one repeats it', () => {
    const { ledger } = ledgerBuilder({ protocolVersion: 27 })
    const first = ledger({ upgradeTo: 30 })
    const second = readLedgerHeader(ledger())
    const { header } = (xdr.LedgerCloseMeta.fromXdr(first).value as xdr.LedgerCloseMetaV2).ledgerHeader
    expect(second.previousHash).toBe(Buffer.from(sha256(Buffer.from(header.toXdr()))).toString('hex'))
    expect(second).toMatchObject({ sequence: 1001, closeTimeSeconds: 1_700_000_005, protocolVersion: 30 })
  })

  it('several built ledgers form a batch', () => {
    const { batch } = ledgerBuilder({ firstLedger: 640 })
    const { start, end, ledgers } = readBatch(batch([busy, {}, busy]))
    expect([start, end, ledgers.map((bytes) => readLedgerHeader(bytes).sequence)]).toEqual([640, 642, [640, 641, 642]])
  })
})
