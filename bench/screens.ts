// Times of what screens of a wallet and of an explorer ask for, on the indexed demo with one and 16 clients: the portfolio, the page of actions,
// the list of pools and a pool with its chart, the net worth of 30 days, and 100 accounts at once. Answers are computed: no organization makes a
// request twice. Requests about an account come from 61 organizations, whose keys are known after a second, as those of clients are; the
// others each from an organization of its own. `node bench/screens.ts [seconds per measurement] [data folder]`: without a folder the demo is
// indexed first (about half a minute), and the engine still merges its parts while it is measured. Needs Linux.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Endpoint, keysOfOthers, liftLimit, queryRows, report } from './src/load.ts'
import { type ReadyEvent, startOrrery } from './src/orrery.ts'
import { printLine, printMachine } from './src/print.ts'

const SECONDS = Number(process.argv[2] ?? 5)
/** More than the requests to one endpoint in a run of the usual length. */
const ORGANIZATIONS = 5_000
/** A prime number: with 82 accounts in turn the same organization asks for the same account after 5,002 requests. */
const CLIENTS_OF_ACCOUNTS = 61
const ADDRESSES_AT_ONCE = 100

/** Accounts with the most activities, at most 100: those of a person first, then contracts that hold positions. */
async function accounts(ready: ReadyEvent): Promise<readonly string[]> {
  const rows = await queryRows<{ address: string }>(
    ready,
    `SELECT address FROM activities WHERE address != '' GROUP BY address
     ORDER BY startsWith(address, 'G') DESC, count() DESC, address LIMIT ${ADDRESSES_AT_ONCE}`,
  )
  return rows.map(({ address }) => address)
}

async function endpointsOf(ready: ReadyEvent): Promise<{ readonly ofAccounts: Endpoint[]; readonly others: Endpoint[] }> {
  const addresses = await accounts(ready)
  const [pool] = await queryRows<{ pool: string }>(
    ready,
    "SELECT pool FROM pool_snapshots WHERE protocol = 'aquarius' GROUP BY pool ORDER BY count() DESC, pool LIMIT 1",
  )
  if (pool === undefined) throw new Error('The index has no pool.')
  const each = (path: string): readonly string[] => addresses.map((address) => `/v1/users/${address}${path}`)
  const bulk = `/v1/positions?addresses=${addresses.join(',')}`
  const ofAccounts = [
    { name: 'portfolio (goal 15)', paths: each('/positions') },
    { name: 'actions, 50 (goal 12)', paths: each('/actions?limit=50') },
    { name: 'net worth, 30d (goal 20)', paths: each('/history?range=30d&fill=locf') },
  ]
  const others = [
    { name: 'pools (goal 8)', paths: ['/v1/pools'] },
    { name: 'pool', paths: [`/v1/pools/${pool.pool}`] },
    { name: 'pool history, 30d', paths: [`/v1/pools/${pool.pool}/history?range=30d`] },
    { name: `${addresses.length} accounts in bulk (goal 400)`, paths: [bulk] },
    { name: `${addresses.length} accounts, summary`, paths: [`${bulk}&view=summary`] },
    { name: 'accounts of Blend by health', paths: ['/v1/protocols/blend/accounts?sort=health_factor'] },
  ]
  return { ofAccounts, others }
}

printMachine()
const given = process.argv[3]
const data = given ?? mkdtempSync(join(tmpdir(), 'orrery-bench-screens-'))
try {
  await using orrery = await startOrrery(data)
  const { ledger } = await orrery.caughtUp()
  await liftLimit(data, orrery.ready)
  printLine(`Indexed up to ledger ${ledger}. Times in milliseconds; CPU in milliseconds for one request; ${SECONDS} s each\n`)
  const keys = await keysOfOthers(data, ORGANIZATIONS)
  const { ofAccounts, others } = await endpointsOf(orrery.ready)
  await report(orrery, ofAccounts, SECONDS, [{ answers: 'computed', keys: keys.slice(0, CLIENTS_OF_ACCOUNTS) }])
  await report(orrery, others, SECONDS, [{ answers: 'computed', keys }])
} finally {
  if (given === undefined) rmSync(data, { recursive: true })
}
