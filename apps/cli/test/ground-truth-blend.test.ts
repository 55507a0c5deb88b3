// The answers of Blend's contracts and of the oracles against Orrery's, end to end: from recorded ledgers to `/v1` and the as-of state reader.
// `ANSWERS.md` of the recording describes each answer and its comparison. Every answer of the sampled checkpoints is compared (`truth/sampled.ts`).

import { blendView } from '@orrery/blend'
import { COMPARISONS } from '@orrery/blend/answers'
import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { depositorAsAnswered, depositorAsShown, holds, userAsShown } from './truth/blend-accounts.ts'
import {
  backstopAsAnswered,
  backstopAsShown,
  emissionsAsAnswered,
  emissionsAsShown,
  poolAsAnswered,
  poolAsShown,
  type RecordedPrice,
  reserveAsAnswered,
  reserveAsShown,
} from './truth/blend-pools.ts'
import { claimsThatDidNotRun } from './truth/claims.ts'
import { Compared } from './truth/compared.ts'
import { EarlierIndex } from './truth/earlier-index.ts'
import { answersByLedger, each, raw } from './truth/recorded.ts'
import { expectCounts } from './truth/sampled.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Words = Record<string, string>

let whole: WholeNetwork
let answers: Map<number, ExpectedAnswer[]>
/** Pools with the real code and the real backstop that no factory of ours made. */
const strangers = new Set<unknown>()
/** The asset of each reserve, by pool and index: an index is given once. */
const reserveAssets = new Map<string, unknown>()

beforeAll(async () => {
  answers = await answersByLedger('blend.', 'oracle.')
  for (const answer of [...answers.values()].flat()) if (answer.from_factory === false) strangers.add(answer.contract)
  for (const { kind, contract, index, asset } of [...answers.values()].flat()) {
    if (kind === 'blend.reserve') reserveAssets.set(`${contract} ${index}`, asset)
  }
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** Answers of one ledger about pools that are ours. */
const of = (ledger: number, kind: string): ExpectedAnswer[] =>
  (answers.get(ledger) ?? []).filter((it) => it.kind === kind && !strangers.has(it.contract) && !strangers.has(it.pool))

describe('pools', () => {
  it('the answer of /v1 about pools as of a ledger equals the contracts’ answers: rates and totals accrued to the close time, and the backstop of the pool', async () => {
    const compared = new Compared('/v1')
    await each(answers.keys(), async (ledger) => {
      const { data, enrichment } = await whole.get(`/v1/protocols/blend/reserves?as_of_ledger=${ledger}`)
      const answers = of(ledger, 'blend.reserve')
      for (const answer of answers) {
        const { contract, asset } = answer
        const shown = data.reserves.find((it: Words) => it.contract === contract && it.asset_id === asset)
        compared.answer('reserve', answer, shown === undefined ? {} : reserveAsShown(shown, answer), reserveAsAnswered(answer))
      }
      for (const answer of of(ledger, 'blend.pool')) {
        const reserves = data.reserves.filter((it: Words) => it.contract === answer.contract)
        compared.answer('pool', answer, poolAsShown(enrichment.contracts[answer.contract], reserves), poolAsAnswered(answer))
      }
      const backstops = of(ledger, 'blend.backstop_pool')
      for (const answer of backstops) {
        const shown = data.backstops.find((it: Words) => it.contract === answer.pool)
        const comet = of(ledger, 'blend.comet').find(({ contract }) => contract === shown?.metadata.lp_token)
        const usdc = whole.network.deployments.blend.find(({ backstopToken }) => backstopToken === comet?.contract)?.usdc ?? ''
        const usdcPrice = recordedPrice(ledger, usdc, enrichment.assets[usdc]?.price_source)
        compared.answer(
          // Where no oracle's answer of that ledger prices USDC, everything but the dollars is compared.
          usdcPrice === null ? 'backstop without a recorded price' : 'backstop',
          answer,
          shown === undefined ? {} : backstopAsShown(shown, usdcPrice),
          backstopAsAnswered(answer, comet, usdcPrice),
        )
      }
      // Nothing else is shown: every pool has answers, and the imitation of a pool is absent.
      expect({ ledger, reserves: data.reserves.length, backstops: data.backstops.length }).toEqual({
        ledger,
        reserves: answers.length,
        backstops: backstops.length,
      })
    })
    compared.expectCounts('through protocols/blend/reserves', { reserve: 3_669, pool: 1_218, backstop: 1_218 })
  }, 900_000)

  it('the answer of /v1 about pools as of a ledger equals the contracts’ answers about emissions: the rate per second of each side of each reserve, when the index ends there', async () => {
    const compared = new Compared('/v1')
    await using earlier = await EarlierIndex.of(whole)
    for (const ledger of answers.keys()) {
      const emissions = of(ledger, 'blend.reserve_emissions')
      const [first] = emissions
      if (first === undefined) continue
      earlier.moveTo({ ledger, closeTimeSeconds: first.close_time })
      const { data } = await earlier.get('/v1/protocols/blend/emissions')
      for (const answer of emissions) {
        const pool = data.pools.find((it: Words) => it.pool_id === answer.contract)
        const shown = pool?.assets.find((it: Words) => it.asset_address === answer.asset)
        compared.answer('emissions', answer, emissionsAsShown(shown, answer), emissionsAsAnswered(answer))
      }
    }
    compared.expectCounts('through protocols/blend/emissions', { emissions: 3_553 })
  }, 900_000)
})

/** What is the same in both: an oracle of symbols names the token that the registry's hints give that code. */
function tokenOf({ stellar, other }: { readonly stellar?: string; readonly other?: string }): string {
  if (stellar !== undefined) return stellar
  return Object.entries(whole.network.assets).find(([, { code }]) => code === other)?.[0] ?? ''
}

/** The answer about the asset of the oracle that the API names. */
function recordedPrice(ledger: number, token: string, source: string | undefined): RecordedPrice | null {
  const line = of(ledger, 'oracle.lastprice').find(
    (it) => `oracle:${it.contract}` === source && tokenOf(it.asset as { stellar?: string; other?: string }) === token,
  )
  const oracle = whole.network.oracles.find(({ contract }) => contract === line?.contract)
  if (line == null || line.lastprice === null || oracle === undefined) return null
  return { price: BigInt((line.lastprice as Words).price ?? 0), decimals: oracle.decimals }
}

/** The balance of the reserve and side that a reserve token stands for. */
function balanceOf({ supply, borrow }: Answer['data'], { contract, reserve_token_id }: ExpectedAnswer): Answer['data'] {
  const token = Number(reserve_token_id)
  const asset = reserveAssets.get(`${contract} ${token >> 1}`)
  return (token % 2 === 1 ? supply : borrow).find((it: Words) => it.asset_address === asset)
}

describe('accounts', () => {
  it('the answer of /v1 about an account in a pool as of a ledger equals the contracts’ answers: shares and their value, the backstop, and BLND that a claim would pay', async () => {
    const ofAll = (kind: string) => [...answers.keys()].flatMap((ledger) => of(ledger, kind))
    const backstops = Map.groupBy(ofAll('blend.backstop_pool'), ({ ledger, pool }) => `${ledger} ${pool}`)
    const questions = Map.groupBy(
      ['blend.user', 'blend.user_emissions', 'blend.backstop_user'].flatMap(ofAll),
      ({ ledger, address, contract, pool }) => `${ledger} ${address} ${pool ?? contract}`,
    )
    const compared = new Compared('/v1')
    await each(
      questions,
      async ([question, lines]) => {
        const [ledger, address, pool] = question.split(' ')
        const { data } = await whole.get(`/v1/users/${address}/positions/blend/${pool}?as_of_ledger=${ledger}`)
        for (const line of lines) {
          if (line.kind === 'blend.user') {
            const { supply, collateral, liabilities, underlying_now } = line
            compared.answer(line.kind, line, userAsShown(data.pool, line), { supply, collateral, liabilities, underlying_now })
          } else if (line.kind === 'blend.backstop_user') {
            const behind = backstops.get(`${ledger} ${pool}`)?.[0]
            compared.answer(line.kind, line, depositorAsShown(data.pool.backstop, line), depositorAsAnswered(line, behind))
          } else compared.answer(line.kind, line, { claimable: raw(balanceOf(data.pool, line)?.metadata.claimable[0]?.amount ?? '0') })
        }
      },
      ([, [line]]) => `${line?.ledger} ${line?.pool ?? line?.contract}`,
    )
    compared.expectCounts('through positions/blend/{pool}', {
      'blend.user': 15_726,
      'blend.user_emissions': 23_833,
      'blend.backstop_user': 5_705,
    })
  }, 1_800_000)

  it('the answer of /v1 about an account in a pool as of a ledger is empty in a pool that only imitates a pool of the factory', async () => {
    const asked = new Set([...answers.values()].flat().flatMap((it) => (strangers.has(it.contract) ? [it.address] : [])))
    expectCounts('pools that only look like one of ours', strangers.size, 1)
    for (const address of asked) {
      if (address === undefined) continue
      for (const pool of strangers) await expect(whole.get(`/v1/users/${address}/positions/blend/${pool}`)).rejects.toThrow(/404/)
    }
  })
})

describe('the as-of state reader', () => {
  it('the state of Blend and of the oracles in the as-of state reader equals the contracts’ answers, accrued to the close time', async () => {
    const blend = blendView(whole.network)
    const wholes = whole.network.deployments.blend.flatMap((it) => [it.factory, it.backstop, it.emitter, it.backstopToken])
    const contracts = [...new Set([...wholes, ...blend.sharedRefs().map((ref) => ref.contract)])]
    const compared = new Compared('state')
    for (const [ledger, ofLedger] of answers) {
      const shared = await whole.state('blend', ledger, { contracts })
      const pools = blend.pools(blend.load(shared, ledger))
      expect(pools.filter((pool) => strangers.has(pool))).toEqual([])
      const own = pools.length === 0 ? [] : await whole.state('blend', ledger, { contracts: pools })
      const state = blend.load([...shared, ...own], ledger)
      for (const answer of ofLedger) {
        if (strangers.has(answer.contract) || strangers.has(answer.pool)) continue
        const at = { ledger, closeTimeSeconds: answer.close_time }
        for (const [kind, compare] of COMPARISONS) {
          const comparison = kind === answer.kind ? compare({ answer, state, network: whole.network, at }) : null
          if (comparison !== null) compared.answer(compare.name, answer, comparison.ours, comparison.theirs)
        }
        if (answer.kind === 'blend.pool' && answer.all_users_in_this_ledger === true) {
          const accounts = [...(state.pools.get(answer.contract)?.accounts ?? [])].filter(([, { positions }]) => holds(positions?.value))
          const asked = ofLedger.filter((it) => it.kind === 'blend.user' && it.contract === answer.contract && holds(it.positions))
          compared.answer(
            'accounts',
            answer,
            { all_users_in_this_ledger: accounts.map(([address]) => address).sort() },
            { all_users_in_this_ledger: asked.map(({ address }) => String(address)).sort() },
          )
        }
      }
    }
    compared.expectCounts('of Blend through the as-of state reader', {
      pool: 1_218,
      accounts: 205,
      reserve: 3_669,
      user: 15_726,
      withdrawMax: 5_276,
      reserveEmissions: 3_553,
      userEmissions: 23_833,
      backstop: 532,
      backstopPool: 1_218,
      backstopValue: 1_218,
      backstopUser: 5_705,
      auction: 490,
      comet: 266,
      lpBalance: 4_303,
      emitter: 266,
      lastPrice: 4_256,
      feed: 532,
    })
  }, 1_800_000)
})

it('every comparison that the list of members claims for this file ran', () => {
  const ours = [...answers.values()].flat().filter(({ contract, pool }) => !strangers.has(contract) && !strangers.has(pool))
  expect(claimsThatDidNotRun('blend', ours)).toEqual([])
})
