// How long the histories take when there is much of it: ten million position snapshots of Blend, of which one account has 200 pools in 5,000
// hours and thirty thousand accounts three pools in a hundred hours. Through the read model, as /v1 asks, warm, one question at a time.
// `node bench/queries.ts [millions of snapshots]`. Writing them takes about half a minute.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openClickHouse, openReadModel, startClickHouseHost } from '@orrery/read-model'
import { positionHistory, positionSummary, positionSummarySnapshots } from '@orrery/read-model/queries'
import { figure, say, sayMachine } from './src/print.ts'
import { percentile } from './src/statistics.ts'

const SNAPSHOTS = Number(process.argv[2] ?? 10) * 1_000_000
const ROUNDS = 20
const GENESIS_SECONDS = 1_700_006_400
const HOUR = 3_600
const LEDGERS_AN_HOUR = 720
const BUCKETS = 5_000
const POOLS = 200

/** `number` names a snapshot; the expressions say whose, in which pool, and in which hour. */
interface Part {
  readonly count: number
  readonly address: string
  readonly pool: string
  readonly hour: string
}

const WHALE: Part = {
  count: POOLS * BUCKETS,
  address: `'GWHALE'`,
  pool: `concat('C', toString(number % ${POOLS}))`,
  hour: `intDiv(number, ${POOLS})`,
}
const OTHERS: Part = {
  count: Math.max(0, SNAPSHOTS - WHALE.count),
  address: `concat('G', toString(intDiv(number, 300)))`,
  pool: `concat('C', toString(number % 3))`,
  hour: `intDiv(number % 300, 3)`,
}

function insert({ count, address, pool, hour }: Part): string {
  return `INSERT INTO position_snapshots_v1
    SELECT 'blend', ${address}, ${pool}, toUInt32(1000 + ${hour} * ${LEDGERS_AN_HOUR}),
      toDateTime(${GENESIS_SECONDS} + ${hour} * ${HOUR}, 'UTC'), true, true,
      toDecimal128(1000 + number % 97, 8), toDecimal128(400, 8), toDecimal128(1100, 8), toDecimal128(600 + number % 97, 8),
      toDecimal128(950, 8), toDecimal128(500 + number % 89, 8), toDecimal128('0.05', 18), 0, 0, '{}', 1
    FROM numbers(${count})`
}

sayMachine()
const dir = mkdtempSync(join(tmpdir(), 'orrery-bench-queries-'))
try {
  await using host = await startClickHouseHost({ dir })
  await migrate(host.address('admin'))
  const admin = openClickHouse(host.address('admin'))
  const writingMs = performance.now()
  for (const part of [WHALE, OTHERS]) await admin.client.command({ query: insert(part) })
  await admin.client.insert({
    table: 'active_versions_v1',
    values: [['blend', 1, 1, '2026-01-01 00:00:00']],
    format: 'JSONCompactEachRow',
  })
  await admin.close()
  say(`Wrote ${SNAPSHOTS.toLocaleString('en-US')} snapshots in ${((performance.now() - writingMs) / 1000).toFixed(0)} s\n`)

  await using readModel = openReadModel(openClickHouse(host.address('api')))
  const options = { tag: { route: 'bench', requestId: 'bench' } }
  const measure = async (name: string, ask: () => Promise<readonly unknown[]>): Promise<void> => {
    const rows = (await ask()).length
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const startedMs = performance.now()
      await ask()
      times.push(performance.now() - startedMs)
    }
    times.sort((a, b) => a - b)
    figure(name, percentile(times, 0.5), 'ms p50', `p95 ${percentile(times, 0.95).toFixed(0)}, ${rows} rows`)
  }

  const window = { axis: 'time', first: GENESIS_SECONDS, width: HOUR, count: BUCKETS, from: GENESIS_SECONDS } as const
  const to = GENESIS_SECONDS + (BUCKETS - 1) * HOUR
  const of = (address: string) => ({ address, protocol: 'blend', watermark: 4_000_000_000 })
  const every = { from_ledger: 0, to_ledger: 4_000_000_000, rows: BUCKETS + 1 }
  for (const [who, address] of [
    ['200 pools, 5,000 hours', 'GWHALE'],
    ['3 pools, 100 hours', 'G777'],
  ] as const) {
    say(who)
    await measure('  summary, 5,000 buckets', () =>
      readModel.query(positionSummary, { ...of(address), ...window, to, carry: true }, options),
    )
    await measure('  summary, raw', () => readModel.query(positionSummarySnapshots, { ...of(address), ...every }, options))
    await measure('  one pool, 5,000 buckets', () =>
      readModel.query(positionHistory, { ...of(address), pool: 'C1', ...window, to, keep: 'carry' }, options),
    )
  }
} finally {
  rmSync(dir, { recursive: true })
}
