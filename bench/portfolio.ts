// How long the portfolio of an account takes that has 200 positions, beside that of a normal one: a Soroswap pair of the indexed demo gets
// 200 twins with one holder of them all, written through the real store, and `orrery up` starts on the folder as it does every day.
// `node bench/portfolio.ts [seconds per measurement]`. Needs Linux. Indexing takes about a minute.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_ROWS, type StateRow } from '@orrery/protocol-kit'
import { openClickHouse, openStore, type Store, startClickHouseHost } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { soroswap } from '@orrery/soroswap'
import { testAccount, testContract } from '@orrery/testkit'
import { liftLimit, report } from './src/load.ts'
import { startOrrery } from './src/orrery.ts'
import { say, sayMachine } from './src/print.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const PAIRS = 200
const PARTITIONS = [0, 1, 2, 3]
const HOLDER = testAccount('holder of many pairs')

/** All state of the pair with the most rows that are nobody's, and of one of its holders. */
async function modelPair(store: Store, version: number): Promise<{ readonly pair: StateRow[]; readonly holder: StateRow[] }> {
  const byContract = new Map<string, StateRow[]>()
  for (const partition of PARTITIONS) {
    const at = { protocol: soroswap.id, partition }
    const checkpoint = await store.checkpoint(at, version)
    if (checkpoint === null) continue
    for await (const row of store.loadState(at, version, checkpoint.ledger)) {
      if (row.scope === partition) byContract.set(row.contract, [...(byContract.get(row.contract) ?? []), row])
    }
  }
  for (const rows of byContract.values()) {
    const owner = rows.find((row) => row.owner.startsWith('G') && row.key.endsWith(':shares'))?.owner
    if (owner !== undefined) return { pair: rows.filter((row) => row.owner === ''), holder: rows.filter((row) => row.owner === owner) }
  }
  throw new Error('The index has no holder of a pair.')
}

sayMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-portfolio-'))
try {
  const { version } = soroswap.adapter(await loadNetwork('demo'))
  {
    await using orrery = await startOrrery(data)
    await orrery.caughtUp()
  }
  let normal = ''
  {
    await using host = await startClickHouseHost({ dir: join(data, 'clickhouse') })
    await using store = openStore(openClickHouse(host.address('writer')))
    const { pair, holder } = await modelPair(store, version)
    normal = holder[0]?.owner ?? ''
    const twins = Array.from({ length: PAIRS }, (_, n) => testContract(`twin ${n}`))
    const state = twins.flatMap((contract) => [
      ...pair.map((row) => ({ ...row, contract })),
      ...holder.map((row) => ({ ...row, contract, owner: HOLDER, key: row.key.replace(row.owner, HOLDER) })),
    ])
    await store.write([{ ...NO_ROWS, state }], version)
  }
  await using orrery = await startOrrery(data)
  await orrery.caughtUp()
  await liftLimit(data, orrery.ready)
  say(`Goals with one client: p50 15 and p95 40 ms for a normal account, p95 120 ms for ${PAIRS} positions; ${SECONDS} s each\n`)
  const path = (address: string): string[] => [`/v1/users/${address}/positions`]
  await report(
    orrery,
    [
      { name: 'portfolio of a normal account', paths: path(normal) },
      { name: `portfolio of ${PAIRS} positions`, paths: path(HOLDER) },
    ],
    SECONDS,
  )
} finally {
  rmSync(data, { recursive: true })
}
