// A data folder whose registry grows in the middle: an oracle between two others, FxDAO's feed, a price pool and an asset hint are added.
// Everything is real: `orrery up` as a process, its log in LMDB, its ClickHouse.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentsAfter, hasCaughtUp, Orrery, orrery, upArguments } from './orrery.ts'
import { type ShortLake, shortLake } from './short-lake.ts'

const FILES_BEFORE = 12
const FILES = 30
const SEED = 20_261_122
const KILLS = 12

const folder = mkdtempSync(join(tmpdir(), 'orrery-growing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type RegistryDocument = ReturnType<typeof JSON.parse>
type Contents = Record<string, string>

let lake: ShortLake
let whole: RegistryDocument
let smaller: string
let added: { readonly oracle: string; readonly feed: string; readonly pool: string; readonly asset: string }
/** First ledger for which the additions apply. */
let from: number
let first: Contents
let grown: Contents

/** A registry file of the recording with some changes. */
function registryFile(name: string, change: (document: RegistryDocument) => void = () => undefined): string {
  const document = structuredClone(whole)
  change(document)
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(document))
  return file
}

const upOn = (data: string, files: number, registry: string): string[] => [
  ...upArguments({ registry, directory: shortLake(join(folder, `lake-${files}`), files).directory }, join(folder, data)),
  ...['--log-level', 'silent'],
]

const rowsOf = (contents: Contents, view: string): unknown[][] =>
  (contents[view] ?? '')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

/** Price rows of one source, as (ledger, asset, price). */
function pricesFrom(contents: Contents, source: string): string[] {
  return rowsOf(contents, 'prices')
    .filter((row) => row.includes(source))
    .map((row) => JSON.stringify(row))
}

function ledgersIn(contents: Contents, source: string): number[] {
  return rowsOf(contents, 'prices').flatMap((row) =>
    row.includes(source) ? row.filter((cell): cell is number => typeof cell === 'number' && cell > 1_000_000 && cell < 1_100_000) : [],
  )
}

function expectSame(found: Contents, expected: Contents): void {
  expect(Object.keys(found)).toEqual(Object.keys(expected))
  for (const [view, rows] of Object.entries(expected)) expect(found[view] === rows, `${view} differs`).toBe(true)
}

beforeAll(async () => {
  lake = shortLake(join(folder, `lake-${FILES}`), FILES)
  from = shortLake(join(folder, `lake-${FILES_BEFORE}`), FILES_BEFORE).lastLedger + 1
  whole = JSON.parse(readFileSync(lake.registry, 'utf8'))
  const [asset = ''] = Object.keys(whole.assets).filter((id) => whole.oracles[1].base.asset !== id && whole.usd_pegs[0].asset !== id)
  added = { oracle: whole.oracles[1].contract, feed: whole.oracles[3].contract, pool: whole.price_pools[0].contract, asset }
  smaller = registryFile('smaller.json', (document) => {
    document.oracles = document.oracles.filter(({ contract }: { contract: string }) => contract !== added.oracle && contract !== added.feed)
    document.price_pools.splice(0, 1)
    delete document.assets[added.asset]
  })
  first = await contentsAfter(upOn('grown', FILES_BEFORE, smaller))
  grown = await contentsAfter(upOn('grown', FILES, lake.registry))
}, 600_000)

describe('a data folder whose registry grows', () => {
  it('a data folder whose registry grows continues, and every addition applies from the next ledger on and not before', () => {
    expect(ledgersIn(grown, `oracle:${added.oracle}`).length).toBeGreaterThan(10)
    expect(Math.min(...ledgersIn(grown, `oracle:${added.oracle}`))).toBeGreaterThanOrEqual(from)
    expect(pricesFrom(first, `oracle:${added.oracle}`)).toEqual([])
    const facts = rowsOf(grown, 'control_facts').filter(([kind]) => kind === 'registry')
    expect(facts.map(([, ledger]) => ledger)).toEqual([1_000_000, from])
    expect(JSON.parse(String(facts[1]?.[2]))).toEqual({ known_pools: [], ...whole, assets: expect.objectContaining(whole.assets) })
  })

  it('changes no row of the ledgers before', () => {
    for (const view of ['activities', 'position_snapshots', 'pool_snapshots', 'reserve_snapshots', 'prices', 'transactions']) {
      const after = new Set((grown[view] ?? '').split('\n'))
      const missing = (first[view] ?? '').split('\n').filter((row) => !after.has(row))
      expect(missing, view).toEqual([])
    }
  })

  it('a data folder whose registry grows has, where a whole round of the added oracle was written since, the prices of an index that had it from the start', async () => {
    const always = await contentsAfter(upOn('always', FILES, lake.registry))
    const source = `oracle:${added.oracle}`
    // A Reflector round replaces every price: from the first one on nothing is left of what was not known.
    const firstRound = Math.min(...ledgersIn(grown, source))
    const since = (contents: Contents): string[] =>
      rowsOf(contents, 'prices')
        .filter((row) => row.includes(source) && row.some((cell) => typeof cell === 'number' && cell >= firstRound && cell < 1_100_000))
        .map((row) => JSON.stringify(row))
    expect(since(grown)).toEqual(since(always))
    expect(since(grown).length).toBeGreaterThan(10)
  })

  it('a data folder whose registry grows gives the same rows when the read model is lost and the log is replayed from its beginning', {
    timeout: 600_000,
  }, async () => {
    rmSync(join(folder, 'grown', 'clickhouse'), { recursive: true })
    expectSame(await contentsAfter(upOn('grown', FILES, lake.registry)), grown)
  })

  it('a data folder whose registry grows gives the same rows when it is killed at any moment around the start with the larger registry', {
    timeout: 1_200_000,
  }, async () => {
    const random = seededRandom(SEED)
    // A kill counts where the index was unfinished. One that had caught up is compared, and the next kills come to a new one.
    let kills = 0
    let indexes = 0
    let data = ''
    for (let attempt = 0; kills < KILLS; attempt++) {
      expect(attempt, `seed ${SEED}: most kills came after the index had caught up`).toBeLessThan(2 * KILLS)
      if (data === '') {
        data = `killed-${++indexes}`
        expectSame(await contentsAfter(upOn(data, FILES_BEFORE, smaller)), first)
      }
      await using run = new Orrery(upOn(data, FILES, lake.registry))
      const isStarting = random() < 0.5
      if (!isStarting) await run.result()
      await delay(random() * (isStarting ? 2_500 : 800)) // the moment is what is tested
      run.signal('SIGKILL')
      expect(await run.exited, `attempt ${attempt} of seed ${SEED}: it had ended by itself\n${run.stderr}`).toBeNull()
      if (!(await hasCaughtUp(run))) kills++
      else {
        expectSame(await contentsAfter(upOn(data, FILES, lake.registry)), grown)
        data = ''
      }
    }
    if (data !== '') expectSame(await contentsAfter(upOn(data, FILES, lake.registry)), grown)
  })

  it('a data folder whose registry grows keeps the larger registry: a smaller one is refused from then on, with the missing parts named', async () => {
    const refused = await orrery(upOn('grown', FILES, smaller))
    expect(refused).toMatchObject({ code: 2, stdout: [] })
    expect(refused.stderr).toContain(`oracles[${added.oracle}]: removed (was {`)
    expect(refused.stderr).toContain('Nothing was changed.')
  })
})

describe('a data folder is not opened with a registry that does more than add', () => {
  const contract = 'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD2KM'
  it.each<[string, (document: RegistryDocument) => void, RegExp]>([
    ['a changed oracle', (document) => (document.oracles[0].decimals = 7), /oracles\[C\w{55}\]\.decimals: was 14, and is 7/],
    ['another order of oracles', (document) => document.oracles.reverse(), /oracles: the order changed, first at C\w+, where C\w+ is now/],
    ['a removed price pool', (document) => document.price_pools.pop(), /price_pools\[C\w{55}\]: removed \(was {.*}\)/],
    [
      'a new deployment',
      (document) => document.protocols.soroswap.deployments.push({ factory: contract, routers: [], from_ledger: 1 }),
      /protocols\.soroswap\.deployments\[C\w{55}\]: was added, but .* records of its contracts, because they were not tracked; such records were never logged/,
    ],
    [
      'a known pool',
      (document) => (document.known_pools = [{ protocol: 'soroswap', contract, from_ledger: 1 }]),
      /known_pools\[C\w{55}\]: was added, but .* were never logged/,
    ],
  ])('%s is refused with exit code 2, the place and the way out', async (name, change, line) => {
    const refused = await orrery(upOn('grown', FILES, registryFile(`${name.replaceAll(' ', '-')}.json`, change)))
    expect(refused).toMatchObject({ code: 2, stdout: [] })
    expect(refused.stderr).toMatch(line)
    expect(refused.stderr).toMatch(
      /Nothing was changed\.\nStart with the registry as it was, which \S+registry\.json holds, and only add to it/,
    )
  })
})
