import type { TransactionRow } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { ALICE, BOB, closeTime, hashOf, LAST, ORACLE, PAIR, ROUTER, timestamp } from './testing/fixtures/network.ts'
import { leg, rows, transaction } from './testing/fixtures/rows.ts'

const fixture = withFixtureApi()
const decode = (n: number) => fixture.data(`/v1/transactions/${hashOf(n)}`)

describe('200', () => {
  it('a swap has one sentence, with its legs in the order in which they happened', async () => {
    const { data, enrichment, meta } = await decode(3)
    expect(data).toMatchObject({
      tx_hash: hashOf(3),
      ledger: 120,
      timestamp: timestamp(120),
      protocols: ['soroswap'],
      summary: 'Swapped 1,250 USDC for 4,985 XLM in USDC/XLM 0.3 % (Soroswap)',
      activities: [
        { address: ALICE, direction: 'sent', amount: '1250' },
        { address: ALICE, direction: 'received', amount: '4985.0000001' },
      ],
    })
    expect(Object.keys(enrichment.contracts).sort()).toEqual([ORACLE, PAIR, ROUTER].sort())
    expect(meta).toMatchObject({ partial_result: false, attribution_confidence: 0.9, last_indexed_ledger: LAST })
  })

  it('a deposit names both tokens', async () => {
    const { data } = await decode(1)
    expect(data.summary).toBe('Added 250 USDC and 1,250 XLM of liquidity to USDC/XLM 0.3 % (Soroswap)')
  })
})

describe('200: source account, fee and memo', () => {
  const facts = (data: Record<string, unknown>) =>
    Object.fromEntries(['source_account', 'fee_account', 'fee_charged', 'memo_type', 'memo'].map((name) => [name, data[name]]))
  const written = async (tx: number, change: Partial<TransactionRow>) => {
    await fixture.store.write(
      [rows({ activities: [leg({ ledger: LAST + 8, tx })], transactions: [transaction(LAST + 8, tx, 1, change)] })],
      VERSION,
    )
    return facts((await decode(tx)).data)
  }

  it('the fee is in XLM, and the source account paid it', async () => {
    // 123,456 stroops.
    const { data } = await decode(3)
    expect(facts(data)).toEqual({ source_account: ALICE, fee_account: ALICE, fee_charged: '0.0123456', memo_type: 'none', memo: null })
  })

  it('the fee source of a fee bump paid the fee, and an empty text is a memo', async () => {
    expect(await written(73, { feeSource: BOB, feeCharged: 20_000_000n, memoType: 'text', memo: '' })).toEqual({
      source_account: ALICE,
      fee_account: BOB,
      fee_charged: '2',
      memo_type: 'text',
      memo: '',
    })
  })

  it('a log of an older build has neither fee nor memo', async () => {
    expect(await written(74, { feeCharged: null, memoType: '', memo: '' })).toMatchObject({
      fee_charged: null,
      memo_type: null,
      memo: null,
    })
  })

  it('all of them are null until the record is written', async () => {
    await fixture.store.write([rows({ activities: [leg({ ledger: LAST + 8, tx: 75 })] })], VERSION)
    expect(facts((await decode(75)).data)).toEqual({
      source_account: null,
      fee_account: null,
      fee_charged: null,
      memo_type: null,
      memo: null,
    })
  })
})

describe('200: address', () => {
  const ask = (address: string) => fixture.data(`/v1/transactions/${hashOf(80)}?address=${address}`)

  it('each side of a transfer has a sentence of its own, and the activities are those of both', async () => {
    const ledger = LAST + 8
    const moved = { ledger, tx: 80, activityType: 'transfer' } as const
    const sent = leg({ ...moved, address: ALICE, counterparty: BOB, direction: 'sent' })
    const received = leg({ ...moved, row: 1, address: BOB, counterparty: ALICE, direction: 'received' })
    await fixture.store.write([rows({ activities: [sent, received], transactions: [transaction(ledger, 80, 2)] })], VERSION)
    const [ofAlice, ofBob, ofStranger] = [await ask(ALICE), await ask(BOB), await ask(PAIR)]
    const plain = await decode(80)
    expect(ofAlice.data.summary).toMatch(/^Transferred /)
    expect(ofBob.data.summary).toMatch(/^Received /)
    expect(ofStranger.data.summary).toBe(ofAlice.data.summary)
    expect(plain.data.summary).toBe(ofAlice.data.summary)
    expect(ofBob.data.activities).toEqual(plain.data.activities)
  })

  it('answers for different accounts have different entity tags', async () => {
    const tags = await Promise.all(
      ['', `?address=${ALICE}`, `?address=${BOB}`].map(
        async (query) => (await fixture.api.ask(`/v1/transactions/${hashOf(3)}${query}`)).headers.etag,
      ),
    )
    expect(new Set(tags).size).toBe(3)
  })
})

describe('200: partial', () => {
  it('rows beyond the watermark are shown at once, and the answer is partial until their record is written', async () => {
    const ledger = LAST + 5
    await fixture.store.write([rows({ activities: [leg({ ledger, tx: 70 })] })], VERSION)
    const before = await decode(70)
    expect(before.data).toMatchObject({ ledger, timestamp: timestamp(ledger), protocols: ['soroswap'], activities: [{ ledger }] })
    expect(before.meta).toMatchObject({ partial_result: true, last_indexed_ledger: LAST })
    await fixture.store.write([rows({ transactions: [transaction(ledger, 70, 1)] })], VERSION)
    const after = await decode(70)
    expect(after.meta).toMatchObject({ partial_result: false, last_indexed_ledger: LAST })
  })

  it('an answer from a record without rows is partial', async () => {
    await fixture.store.write([rows({ transactions: [transaction(LAST + 6, 71, 0)] })], VERSION)
    const { data, meta } = await decode(71)
    expect(data).toMatchObject({
      ledger: LAST + 6,
      protocols: ['soroswap'],
      activities: [],
      summary: 'No activity of an indexed protocol.',
    })
    expect(meta.partial_result).toBe(true)
  })

  it('an answer with fewer rows than the record counts is partial, because another partition has not written its legs yet', async () => {
    await fixture.store.write(
      [rows({ activities: [leg({ ledger: LAST + 7, tx: 72 })], transactions: [transaction(LAST + 7, 72, 2)] })],
      VERSION,
    )
    expect((await decode(72)).meta.partial_result).toBe(true)
    await fixture.store.write([rows({ activities: [leg({ ledger: LAST + 7, tx: 72, row: 1 })] })], VERSION)
    expect((await decode(72)).meta.partial_result).toBe(false)
  })

  it('a failing adapter makes the answer for a complete transaction partial', async () => {
    const at = { protocol: 'soroswap', partition: 0, indexVersion: VERSION } as const
    const close = closeTime(LAST)
    const report = {
      ...at,
      checkpointLedger: LAST,
      checkpointCloseTimeSeconds: close,
      seenLedger: LAST,
      seenCloseTimeSeconds: close,
      sourceEnded: true,
      sourceHeardAtMs: 0,
      progressedAtMs: close * 1000,
      gap: null,
      errorsLastHour: 1,
      contractsTracked: 3,
    }
    await fixture.store.reportHealth([{ ...report, reportedAtMs: close * 1000 + 1, state: 'failing', error: 'the disk is full' }])
    expect((await decode(3)).meta.partial_result).toBe(true)
    const { data } = await fixture.data('/v1/health')
    expect(data).toMatchObject({
      status: 'degraded',
      adapters: [{}, {}, { adapter_id: 'soroswap', status: 'failing', error: 'the disk is full', error_count_1h: 1 }, {}],
    })
    await fixture.store.reportHealth([{ ...report, reportedAtMs: close * 1000 + 2, state: 'running', error: '' }])
    await setCheckpoint(fixture.store, LAST)
    expect((await decode(3)).meta.partial_result).toBe(false)
  })
})
