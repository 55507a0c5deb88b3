import { PROTOCOLS } from '@orrery/protocols'
import { describe, expect, it } from 'vitest'
import { setCheckpoint, VERSION, withFixtureApi } from './testing/fixture-api.ts'
import { closeTime, ORACLE, PAIR, timestamp } from './testing/fixtures/network.ts'
import { rows } from './testing/fixtures/rows.ts'

// Ledgers 100 to 220 close every ten minutes. Only Soroswap has an adapter, with one partition.
const fixture = withFixtureApi()

type Adapter = { protocol_id: string; adapter: { status: string; version: string } } & Record<string, unknown>
const adapters = async () => (await fixture.data('/v1/index')).data.adapters as Adapter[]
const soroswap = async () => (await adapters()).find((one) => one.protocol_id === 'soroswap')

describe('GET /v1/index', () => {
  it('has the network, the indexed ledgers, every protocol, and no verdict', async () => {
    const { data, meta } = await fixture.data('/v1/index')
    expect(data).toMatchObject({
      network: 'fixture',
      passphrase: 'Test fixture',
      first_ledger: 100,
      last_ledger: 220,
      last_ledger_at: '2026-09-02T08:00:00Z',
      verify: null,
    })
    expect((await adapters()).map((one) => [one.protocol_id, one.adapter.status, one.adapter.version])).toEqual(
      PROTOCOLS.map(({ id }) => (id === 'soroswap' ? [id, 'healthy', '1'] : [id, 'missing', ''])),
    )
    expect(meta).toMatchObject({ partial_result: true, warnings: [{ code: 'adapter_unhealthy', path: null }] })
  })

  it('a partition at the end of its log has no lag and no gap', async () => {
    expect(await soroswap()).toMatchObject({
      lag_ledgers: 0,
      lag_seconds: 0,
      partitions: [
        {
          partition: 0,
          status: 'healthy',
          checkpoint_ledger: 220,
          checkpoint_at: timestamp(220),
          seen_ledger: 220,
          lag_ledgers: 0,
          lag_seconds: 0,
          gap: null,
          error: null,
        },
      ],
      notices: [],
    })
  })

  it('counts notices by kind and reason over all contracts, each row once however often it was written', async () => {
    const notice = { protocol: 'soroswap', partition: 0, contract: PAIR, kind: 'event', reason: 'unknown_event' } as const
    const at = (ledger: number) => ({ ledger, closeTimeSeconds: closeTime(ledger) })
    const notices = rows({
      notices: [
        { ...notice, ...at(110), count: 2 },
        { ...notice, ...at(150), count: 1 },
        { ...notice, contract: ORACLE, ...at(120), count: 4 },
        { ...notice, kind: 'oracle', reason: 'unknown_entry', ...at(130), count: 1 },
        // Beyond the watermark.
        { ...notice, ...at(221), count: 100 },
      ],
    })
    await fixture.store.write([notices], VERSION)
    await fixture.store.write([notices], VERSION)
    // 2 + 1 + 4 events.
    expect((await soroswap())?.notices).toEqual([
      { kind: 'event', reason: 'unknown_event', count: '7', first_ledger: 110, last_ledger: 150 },
      { kind: 'oracle', reason: 'unknown_entry', count: '1', first_ledger: 130, last_ledger: 130 },
    ])
  })

  it('its tag changes with what it shows', async () => {
    const tag = (await fixture.api.ask('/v1/index')).headers.etag ?? ''
    expect((await fixture.api.ask('/v1/index', { headers: { 'if-none-match': tag } })).status).toBe(304)
    await setCheckpoint(fixture.store, 220, 230)
    expect((await fixture.api.ask('/v1/index', { headers: { 'if-none-match': tag } })).status).toBe(200)
  })

  it('a partition that is behind shows its lag in ledgers and seconds', async () => {
    await setCheckpoint(fixture.store, 220, 240)
    // 20 ledgers of ten minutes.
    expect(await soroswap()).toMatchObject({
      lag_ledgers: 20,
      lag_seconds: 12_000,
      partitions: [{ checkpoint_ledger: 220, seen_ledger: 240 }],
    })
    await setCheckpoint(fixture.store, 220)
  })

  it('a gap in the log shows the ledgers that are missing', async () => {
    await fixture.store.reportHealth([
      {
        protocol: 'soroswap',
        partition: 0,
        indexVersion: VERSION,
        reportedAtMs: closeTime(221) * 1000,
        state: 'running',
        checkpointLedger: 200,
        checkpointCloseTimeSeconds: closeTime(200),
        seenLedger: 220,
        seenCloseTimeSeconds: closeTime(220),
        sourceEnded: true,
        sourceHeardAtMs: 0,
        progressedAtMs: closeTime(200) * 1000,
        gap: { after: 200, before: 210 },
        error: 'The log has a gap.',
        errorsLastHour: 1,
        contractsTracked: 3,
      },
    ])
    expect(await soroswap()).toMatchObject({
      adapter: { status: 'failing' },
      partitions: [{ status: 'failing', gap: { from_ledger: 201, to_ledger: 210 }, error: 'The log has a gap.' }],
    })
  })
})

it('index and health have the verdict of the last verification, and health stays ok', async () => {
  const first = { startedAtMs: 1_788_000_000_000, finishedAtMs: 1_788_000_060_000, fromLedger: 100, toLedger: 200 }
  const checks = [{ check: 'rows', status: 'equal', compared: 12, detail: 'rows' }]
  const equal = { ...first, verdict: 'equal', checks: JSON.stringify(checks), differences: 0n, repairs: '[]' } as const
  await fixture.storeVerification(equal)
  const later = { startedAtMs: first.startedAtMs + 120_000, finishedAtMs: first.finishedAtMs + 120_000 }
  const differing = JSON.stringify([{ check: 'rows', status: 'different', compared: 12, detail: 'rows' }])
  await fixture.storeVerification({ ...equal, ...later, verdict: 'different', checks: differing, differences: 2n })
  const verdict = {
    ...{ verdict: 'different', from_ledger: 100, to_ledger: 200, finished_at: '2026-08-29T10:43:00Z', differences: 2 },
    checks: [{ check: 'rows', status: 'different' }],
  }
  expect((await fixture.data('/v1/index')).data.verify).toEqual(verdict)
  expect((await fixture.data('/v1/health')).data.verify).toEqual(verdict)
})
