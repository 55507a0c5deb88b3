// A portfolio is the sum of the answers of the protocols' own endpoints at its ledger: for every account of the recording, at its end, at ledgers of
// which the recording has answers, and where the recording was cut. An index that ends at a ledger and a longer one as of that ledger are
// compared by the same sums.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LedgerTime } from '@orrery/read-model'
import { groundTruthRecording, isShippedRecording, seededRandom } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, IndexedNetwork } from './indexed-network.ts'
import { partOfLake } from './part-of-lake.ts'
import { EarlierIndex } from './truth/earlier-index.ts'
import { blendPoolsAt, comparePortfolio, portfoliosAsOf } from './truth/portfolio-sums.ts'
import { answersByLedger, each } from './truth/recorded.ts'
import { sampleOf } from './truth/sampled.ts'
import { WholeNetwork } from './truth/whole-network.ts'

/** Where the recording is cut, and which of its ledgers are taken: another seed cuts and takes others. */
const SEED = 13
const CUTS = 1
const CHECKPOINTS = 3

let whole: WholeNetwork
/** All accounts with recorded answers, and all other accounts in the recording. */
const accounts = new Set<string>()
/** Ledgers of which the recording has answers. */
const checkpoints = new Map<number, LedgerTime>()
const recorded = groundTruthRecording()
const scenario = JSON.parse(readFileSync(recorded.networkFile, 'utf8')) as {
  readonly accounts: Readonly<Record<string, string>>
  readonly first_ledger: number
  readonly last_ledger: number
}
const { first_ledger: firstLedger, last_ledger: lastLedger } = scenario
/** Of the accounts those that this tier asks about: all, or one in four. */
const asked = (): readonly string[] => sampleOf([...accounts].sort(), 4)
/** Other accounts that own something are compared too; of the shipped recording it is known how many of all do at least, half of it in a sample. */
function expectOwners(owners: number, ofShippedRecording: number): void {
  const share = asked().length / accounts.size
  const atLeast = share === 1 ? ofShippedRecording : (ofShippedRecording * share) / 2
  expect(owners).toBeGreaterThan(isShippedRecording ? atLeast : 0)
}

beforeAll(async () => {
  for (const answer of [...(await answersByLedger('')).values()].flat()) {
    if (answer.address !== undefined) accounts.add(String(answer.address))
    checkpoints.set(answer.ledger, { ledger: answer.ledger, closeTimeSeconds: answer.close_time })
  }
  for (const account of Object.values(scenario.accounts)) accounts.add(account)
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** Every account's portfolio, asked by `portfolioOf`, against the sums as of `ledger`. @returns How many accounts own something. */
async function compareAll(ledger: number, portfolioOf: (address: string) => Promise<Answer>): Promise<number> {
  const blendPools = await blendPoolsAt(whole, ledger)
  let owners = 0
  await each(asked(), async (address) => {
    const { data, meta } = await portfolioOf(address)
    expect({ address, ledger: meta.last_indexed_ledger }).toEqual({ address, ledger })
    if (await comparePortfolio(whole, data, ledger, blendPools)) owners++
  })
  return owners
}

describe('portfolios', () => {
  it('the portfolio of every account at the end of the recording is the sum over the protocols', async () => {
    const owners = await compareAll(lastLedger, (address) => whole.get(`/v1/users/${address}/positions`))
    process.stderr.write(`The portfolios of ${asked().length} accounts, ${owners} of which own something, are the sums at ${lastLedger}.\n`)
    expectOwners(owners, 20)
  })

  it('the portfolio of every account at any ledger with answers is the sum as of that ledger, alone and among others, although the tables have later rows', async () => {
    await using earlier = await EarlierIndex.of(whole)
    const random = seededRandom(SEED)
    const all = [...checkpoints.values()].sort((a, b) => a.ledger - b.ledger)
    // One in each part of the recording.
    const places = Array.from({ length: CHECKPOINTS }, (_, n) => Math.floor(((n + random()) / CHECKPOINTS) * all.length))
    const taken = places.flatMap((place) => all[place] ?? [])
    let owners = 0
    for (const at of taken) {
      earlier.moveTo(at)
      const asOf = await portfoliosAsOf(whole, asked(), at.ledger)
      owners += await compareAll(at.ledger, async (address) => {
        const answer = await earlier.get(`/v1/users/${address}/positions`)
        expect(asOf.get(address)).toEqual(answer.data)
        return answer
      })
    }
    const ledgers = taken.map(({ ledger }) => ledger).join(', ')
    process.stderr.write(`Seed ${SEED}: ${owners} portfolios that own something are the sums at ${ledgers}.\n`)
    expectOwners(owners, 10 * CHECKPOINTS)
  })

  // One in each part of the recording.
  const random = seededRandom(SEED)
  const cuts = Array.from({ length: CUTS }, (_, n) => firstLedger + Math.floor(((n + random()) / CUTS) * (lastLedger - firstLedger)))

  it.each(cuts)(
    'the portfolio of every account in an index that ends near ledger %i is the sum that the whole index gives as of that ledger',
    async (near) => {
      await using stack = new AsyncDisposableStack()
      const folder = mkdtempSync(join(tmpdir(), 'orrery-cut-'))
      stack.defer(() => rmSync(folder, { recursive: true, force: true }))
      const { last } = partOfLake(folder, firstLedger, near, recorded)
      const registry: unknown = JSON.parse(readFileSync(recorded.registryFile, 'utf8'))
      const cut = stack.use(await IndexedNetwork.of({ registry, lake: folder }))
      const owners = await compareAll(last, (address) => cut.get(`/v1/users/${address}/positions`))
      process.stderr.write(
        `Seed ${SEED}: the portfolios of ${asked().length} accounts, ${owners} of which own something, are the sums at ${last}.\n`,
      )
      expectOwners(owners, 10)
    },
    600_000,
  )
})
