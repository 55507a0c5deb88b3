// Times of the portfolio of an account with 200 positions, and of one with a single position: a Soroswap pair of the indexed demo gets 200 copies
// and holders of one and of all of them, written through the real store, and `orrery up` starts on the folder as usual. Every request is for a
// different account, so that answers are computed; the last line repeats one request.
// `node bench/portfolio.ts [seconds per measurement]`. Needs Linux. Indexing takes about a minute.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_ROWS, type StateRow } from '@orrery/protocol-kit'
import { openClickHouse, openStore, type Store, startClickHouseHost } from '@orrery/read-model'
import { soroswap } from '@orrery/soroswap'
import { testAccount, testContract } from '@orrery/testkit'
import { liftLimit, report } from './src/load.ts'
import { FIRST_INDEX_VERSION, startOrrery } from './src/orrery.ts'
import { printLine, printMachine } from './src/print.ts'

const SECONDS = Number(process.argv[2] ?? 5)
const PAIRS = 200
const PARTITIONS = [0, 1, 2, 3]
/** More than the requests of a run. */
const HOLDERS_OF_ONE = 20_000
/** Their answers are large: the cache holds far fewer of them than there are requests before one repeats. */
const HOLDERS_OF_ALL = 500
/** Rows of one insert. */
const ROWS_AT_ONCE = 20_000

/** All state of the pair with the most rows that belong to no account, and of one of its holders. */
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

async function write(store: Store, version: number, rows: readonly StateRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await store.write([{ ...NO_ROWS, state: rows.slice(from, from + ROWS_AT_ONCE) }], version)
  }
}

printMachine()
const data = mkdtempSync(join(tmpdir(), 'orrery-bench-portfolio-'))
try {
  const version = FIRST_INDEX_VERSION
  {
    await using orrery = await startOrrery(data, ['--partitions', String(PARTITIONS.length)])
    await orrery.caughtUp()
  }
  const some = Array.from({ length: HOLDERS_OF_ONE }, (_, n) => testAccount(`holder of one ${n}`))
  const many = Array.from({ length: HOLDERS_OF_ALL }, (_, n) => testAccount(`holder of all ${n}`))
  {
    await using host = await startClickHouseHost({ dir: join(data, 'clickhouse') })
    await using store = openStore(openClickHouse(host.address('writer')))
    const { pair, holder } = await modelPair(store, version)
    const twins = Array.from({ length: PAIRS }, (_, n) => testContract(`twin ${n}`))
    const held = (contract: string, owner: string): StateRow[] =>
      holder.map((row) => ({ ...row, contract, owner, key: row.key.replace(row.owner, owner) }))
    const [first = ''] = twins
    const ofPairs = twins.flatMap((contract) => pair.map((row) => ({ ...row, contract })))
    const ofSome = some.flatMap((owner) => held(first, owner))
    await write(store, version, [...ofPairs, ...ofSome])
    for (const contract of twins) {
      const ofMany = many.flatMap((owner) => held(contract, owner))
      await write(store, version, ofMany)
    }
  }
  await using orrery = await startOrrery(data)
  await orrery.caughtUp()
  await liftLimit(data, orrery.ready)
  printLine(`Goals with one client: p50 15 and p95 40 ms for a normal account, p95 120 ms for ${PAIRS} positions; ${SECONDS} s each\n`)
  const paths = (addresses: readonly string[]) => addresses.map((address) => `/v1/users/${address}/positions`)
  await report(
    orrery,
    [
      { name: 'portfolio of one position', paths: paths(some) },
      { name: `portfolio of ${PAIRS} positions`, paths: paths(many) },
      { name: 'the same one again (response cache)', paths: paths(some.slice(-1)) },
    ],
    SECONDS,
  )
} finally {
  rmSync(data, { recursive: true })
}
