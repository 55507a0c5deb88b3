// The time of a restart with a million state entries: the indexed demo gets that many holders of its pairs, written through the real
// store, and `orrery up` starts on the folder as usual: it loads the state of all partitions at once.
// Compared with Orrery's goal of 20 s. `node bench/restart.ts [entries]`. Needs Linux. Indexing and filling take about two minutes.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROW_TABLES, type Rows, type StateRow } from '@orrery/protocol-kit'
import { openClickHouse, openStore, type Store, startClickHouseHost } from '@orrery/read-model'
import { soroswap } from '@orrery/soroswap'
import { testAccount } from '@orrery/testkit'
import { FIRST_INDEX_VERSION, startOrrery } from './src/orrery.ts'
import { figure, printLine, printMachine } from './src/print.ts'
import { cpuSeconds, watchMemory } from './src/process-usage.ts'

const ENTRIES = Number(process.argv[2] ?? 1_000_000)
const ROWS_AT_ONCE = 20_000
const PARTITIONS = [0, 1, 2, 3]

/** Entries of one real holder of each pair, which are copied to others. */
async function modelHolders(store: Store, version: number): Promise<StateRow[]> {
  const models: StateRow[] = []
  for (const partition of PARTITIONS) {
    const at = { protocol: soroswap.id, partition }
    const checkpoint = await store.checkpoint(at, version)
    if (checkpoint === null) continue
    const ofPair = new Map<string, StateRow[]>()
    for await (const row of store.loadState(at, version, checkpoint.ledger)) {
      if (row.owner !== '' && row.scope === partition) ofPair.set(row.contract, [...(ofPair.get(row.contract) ?? []), row])
    }
    for (const rows of ofPair.values()) models.push(...rows.filter(({ owner }) => owner === rows[0]?.owner))
  }
  return models
}

async function fill(store: Store, version: number): Promise<void> {
  const models = await modelHolders(store, version)
  const emptyRows = Object.fromEntries(ROW_TABLES.map((table) => [table, []])) as unknown as Rows // every table, each empty
  for (let written = 0; written < ENTRIES; ) {
    const state: StateRow[] = []
    while (state.length < ROWS_AT_ONCE && written + state.length < ENTRIES) {
      const holder = testAccount(`holder ${written + state.length}`)
      for (const model of models) state.push({ ...model, owner: holder, key: model.key.replace(model.owner, holder) })
    }
    await store.write([{ ...emptyRows, state }], version)
    written += state.length
  }
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-restart-'))
try {
  const version = FIRST_INDEX_VERSION
  {
    await using orrery = await startOrrery(data, ['--partitions', String(PARTITIONS.length)])
    await orrery.caughtUp()
  }
  {
    const fillingMs = performance.now()
    await using host = await startClickHouseHost({ dir: join(data, 'clickhouse') })
    await using store = openStore(openClickHouse(host.address('writer')))
    await fill(store, version)
    printLine(`Wrote ${ENTRIES.toLocaleString('en-US')} state entries in ${((performance.now() - fillingMs) / 1000).toFixed(1)} s`)
  }
  const startedMs = performance.now()
  await using orrery = await startOrrery(data)
  const [own, engine] = [watchMemory(orrery.pid), watchMemory(orrery.enginePid)]
  const readyMs = performance.now()
  await orrery.caughtUp()
  const [ownPeak, enginePeak] = [own.stop(), engine.stop()]
  figure('start until /v1 answers', (readyMs - startedMs) / 1000, 's')
  figure('start until every partition follows', (performance.now() - startedMs) / 1000, 's', 'goal 20')
  figure('CPU of Orrery', cpuSeconds(orrery.pid), 's')
  figure('CPU of the engine', cpuSeconds(orrery.enginePid), 's')
  figure('peak memory of Orrery', ownPeak.ownMB, 'MB', `${ownPeak.residentMB.toFixed(0)} with mapped files`)
  figure('peak memory of the engine', enginePeak.ownMB, 'MB', `${enginePeak.residentMB.toFixed(0)} with mapped files`)
} finally {
  rmSync(data, { recursive: true })
}
