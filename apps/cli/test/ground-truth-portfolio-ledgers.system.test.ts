// The portfolios of every account at ledgers all over the recording: items add up to pools, pools to protocols, protocols to the total; gains, rewards and
// values are those of the protocols' own endpoints as of the ledger; and the history of net worth of an index that ends there ends in the same values.
// At 30 ledgers in `npm run test:long`, at four in `npm run test:system`.

import { readFileSync } from 'node:fs'
import { Decimal } from '@orrery/pricing'
import type { LedgerTime } from '@orrery/read-model'
import { seededRandom } from '@orrery/testkit'
import { groundTruthRecording, isShippedRecording, testTier } from '@orrery/testkit/ground-truth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { EarlierIndex } from './truth/earlier-index.ts'
import { blendPoolsAt, comparePortfolio, portfoliosAsOf } from './truth/portfolio-sums.ts'
import { answersByLedger, each } from './truth/recorded.ts'
import { storedRows } from './truth/stored-rows.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Shown = Answer['data']

/** Another seed takes other ledgers. */
const SEED = 47
const LEDGERS_BY_TIER: Readonly<Record<string, number>> = { system: 4, long: 30 }
const LEDGERS = LEDGERS_BY_TIER[testTier] ?? 30
const NOTHING = { aquarius: '0', blend: '0', fxdao: '0', soroswap: '0' }

let whole: WholeNetwork
let earlier: EarlierIndex
/** All accounts with recorded answers, and all other accounts in the recording. */
const accounts = new Set<string>()
/** One in each part of the recording, of those with answers. Other tests compare the end. */
let ledgers: readonly LedgerTime[]
/** The ledger of each account's first snapshot: a history begins there. */
let firstSnapshots: ReadonlyMap<string, number>

beforeAll(async () => {
  const answered = new Map<number, LedgerTime>()
  for (const [ledger, answers] of await answersByLedger('')) {
    for (const { address, close_time } of answers) {
      if (address !== undefined) accounts.add(String(address))
      answered.set(ledger, { ledger, closeTimeSeconds: close_time })
    }
  }
  const scenario = JSON.parse(readFileSync(groundTruthRecording().networkFile, 'utf8')) as { readonly accounts: Record<string, string> }
  for (const account of Object.values(scenario.accounts)) accounts.add(account)
  const all = [...answered.values()].sort((a, b) => a.ledger - b.ledger)
  const random = seededRandom(SEED)
  ledgers = Array.from({ length: LEDGERS }, (_, n) => Math.floor(((n + random()) / LEDGERS) * all.length)).flatMap((n) => all[n] ?? [])
  whole = await WholeNetwork.open()
  earlier = await EarlierIndex.of(whole)
  const rows = await storedRows('SELECT address, min(ledger) AS first FROM orrery.position_snapshots GROUP BY address')
  firstSnapshots = new Map(rows.map(({ address = '', first }) => [address, Number(first)]))
}, 900_000)

afterAll(async () => {
  await earlier[Symbol.asyncDispose]()
  await whole[Symbol.asyncDispose]()
})

/** Net value by protocol and in whole, as the last point of a history has it. */
function netOf({ protocols, total_value_usd }: Shown): object {
  const by = protocols.map((it: Shown) => [it.protocol_id, new Decimal(it.deposited_usd).minus(it.borrowed_usd).toFixed()])
  return { net: total_value_usd, by: { ...NOTHING, ...Object.fromEntries(by) } }
}

it('the portfolios of all accounts at ledgers all over the recording are the sums of the protocols, and the ends of their histories of net worth', async () => {
  const counts = { ledgers: 0, portfolios: 0, owners: 0, histories: 0 }
  for (const at of ledgers) {
    earlier.moveTo(at)
    const blendPools = await blendPoolsAt(whole, at.ledger)
    const portfolios = await portfoliosAsOf(whole, accounts, at.ledger)
    await each(accounts, async (address) => {
      const portfolio = portfolios.get(address)
      if (await comparePortfolio(whole, portfolio, at.ledger, blendPools)) counts.owners++
      const { data } = await earlier.get(`/v1/users/${address}/history?range=24h&fill=locf`)
      const hasHistory = (firstSnapshots.get(address) ?? Number.POSITIVE_INFINITY) <= at.ledger
      const { net_usd, by_protocol } = data.points.at(-1) ?? (hasHistory ? {} : { net_usd: '0', by_protocol: NOTHING })
      const shown = { address, ledger: at.ledger, net: net_usd, by: by_protocol }
      expect(shown).toEqual({ address, ledger: at.ledger, ...netOf(portfolio) })
      if (hasHistory) counts.histories++
      counts.portfolios++
    })
    counts.ledgers++
  }
  process.stderr.write(
    `Seed ${SEED}: compared portfolios at ${ledgers.map(({ ledger }) => ledger).join(', ')}: ${JSON.stringify(counts)}\n`,
  )
  expect(counts).toMatchObject({ ledgers: LEDGERS, portfolios: LEDGERS * accounts.size })
  expect(counts.owners).toBeGreaterThan(isShippedRecording ? 10 * LEDGERS : 0)
}, 1_800_000)
