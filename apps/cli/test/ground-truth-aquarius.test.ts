// The answers of Aquarius's contracts against Orrery's, end to end: from recorded ledgers to `/v1` and the as-of state reader.
// `ANSWERS.md` of the recording describes each answer and its comparison. Every answer of the sampled checkpoints is compared (`truth/sampled.ts`).

import { aquariusView } from '@orrery/aquarius'
import { COMPARISONS } from '@orrery/aquarius/answers'
import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { claimsThatDidNotRun } from './truth/claims.ts'
import { Compared, type Members } from './truth/compared.ts'
import { answersByLedger, each, raw } from './truth/recorded.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Words = Record<string, string>
type Shown = Answer['data']

let whole: WholeNetwork
let answers: Map<number, ExpectedAnswer[]>
/** Tokens of each pool, in the pool's own order: they never change. */
const tokensOf = new Map<string, readonly string[]>()

beforeAll(async () => {
  answers = await answersByLedger('aquarius.')
  for (const { kind, contract, tokens } of [...answers.values()].flat()) {
    if (kind === 'aquarius.pool') tokensOf.set(contract, tokens as string[])
  }
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

const of = (ledger: number, kind: string): ExpectedAnswer[] => (answers.get(ledger) ?? []).filter((answer) => answer.kind === kind)

describe('pools', () => {
  it('the answer of /v1 about pools as of a ledger equals the contracts’ answers: the stored reserves of every pool that the router ever listed, and of no other', async () => {
    const compared = new Compared('/v1')
    await each(answers.keys(), async (ledger) => {
      const { data, enrichment } = await whole.get(`/v1/protocols/aquarius/reserves?as_of_ledger=${ledger}`)
      const answers = of(ledger, 'aquarius.pool')
      for (const answer of answers) {
        const { contract } = answer
        const shown = (answer.tokens as string[]).map((token) =>
          data.reserves.find((it: Words) => it.contract === contract && it.asset_id === token),
        )
        const same = (values: readonly unknown[]) => (new Set(values).size === 1 ? values[0] : values)
        compared.answer('pool', answer, {
          tokens: shown.map(({ asset_id }) => asset_id),
          stored_reserves: shown.map(({ total_supplied }) => raw(total_supplied)),
          token_balances: shown.map(({ metadata }) => raw(metadata.balance)),
          fee_fraction: same(shown.map(({ metadata }) => raw(metadata.fee, 4))),
          pool_type: same(shown.map(({ metadata }) => metadata.pool_type)),
          total_shares: same(shown.map(({ metadata }) => raw(metadata.share_supply))),
          version: versionOf(enrichment.contracts[contract]?.version),
        })
      }
      const pools = (of: readonly { contract: string }[]) => [...new Set(of.map(({ contract }) => contract))].sort()
      if (answers.length > 0) expect({ ledger, pools: pools(data.reserves) }).toEqual({ ledger, pools: pools(answers) })
    })
    compared.expectCounts('through protocols/aquarius/reserves', { pool: 2_894 })
  }, 900_000)
})

/** `1.8.4` as the contract counts it: 184. */
function versionOf(shown: string | undefined): string {
  return (shown ?? '').replaceAll('.', '').padEnd(3, '0')
}

describe('accounts', () => {
  it('the answer of /v1 about an account as of a ledger equals the contracts’ answers: payouts of shares, rewards, gauges, and every range with its fees', async () => {
    const questions = Map.groupBy(
      [...answers.keys()].flatMap((ledger) => [...of(ledger, 'aquarius.user'), ...of(ledger, 'aquarius.position')]),
      ({ ledger, address }) => `${ledger} ${address}`,
    )
    const compared = new Compared('/v1')
    await each(
      questions,
      async ([question, lines]) => {
        const [ledger, address] = question.split(' ')
        const { data } = await whole.get(`/v1/users/${address}/positions/aquarius?as_of_ledger=${ledger}`)
        for (const line of lines) {
          const pool = data.pools.find((it: Words) => it.pool_address === line.contract)
          if (line.kind === 'aquarius.position') compared.answer('position', line, rangeAsShown(pool, line), rangeAsAnswered(line))
          else {
            const what = line.snapshot === undefined ? 'shares' : 'ranges'
            compared.answer(what, line, holdingAsShown(pool, line), holdingAsAnswered(line))
            compared.answer(line.claim_now === null ? 'refused claim' : 'claim', line, claimsAsShown(pool, line), claimsAsAnswered(line))
          }
        }
      },
      ([, [line]]) => line?.ledger,
    )
    compared.expectCounts('through positions/aquarius', {
      shares: 12_864,
      ranges: 6_127,
      claim: 18_860,
      'refused claim': 131,
      position: 4_961,
    })
  }, 1_800_000)
})

/** Raw amounts in the order of the pool's tokens; zeros where nothing is shown. */
function amounts(shown: readonly Words[] | undefined, { contract }: ExpectedAnswer): bigint[] {
  const units = (token: string) => shown?.find(({ asset_address }) => asset_address === token)?.units ?? '0'
  return (tokensOf.get(contract) ?? []).map((token) => BigInt(raw(units(token))))
}

const texts = (values: readonly bigint[]): string[] => values.map(String)

/** Shares and what they pay out; of a concentrated pool liquidity, ranges, and the fees of all of them. */
function holdingAsShown(pool: Shown, answer: ExpectedAnswer): Members {
  if (answer.snapshot === undefined) {
    return { share_balance: raw(pool?.metadata.share_amount ?? '0'), withdraw_all: texts(amounts(pool?.tokens, answer)) }
  }
  const ranges: Shown[] = pool?.metadata.ranges ?? []
  const fees = ranges.map((range) => amounts(range.fees, answer))
  return {
    snapshot: {
      raw_liquidity: pool?.metadata.raw_amount ?? '0',
      ranges: ranges.map((range) => [String(range.tick_lower), String(range.tick_upper)]).sort(),
    },
    all_position_fees: texts([0, 1].map((n) => fees.reduce((sum, fee) => sum + (fee[n] ?? 0n), 0n))),
  }
}

function holdingAsAnswered({ share_balance, withdraw_all, snapshot, all_position_fees }: ExpectedAnswer): Members {
  if (snapshot === undefined) return { share_balance, withdraw_all }
  const { raw_liquidity, ranges } = snapshot as { raw_liquidity: string; ranges: { tick_lower: string; tick_upper: string }[] }
  const named = ranges.map(({ tick_lower, tick_upper }) => [tick_lower, tick_upper]).sort()
  return { snapshot: { raw_liquidity, ranges: named }, all_position_fees }
}

/** Rewards of the pool and of its gauges. A claim that the contract refuses is shown as blocked, if something is owed; no other is. */
function claimsAsShown(pool: Shown, { claim_now, gauges_claim_now }: ExpectedAnswer): Members {
  const claimable: Shown[] = pool?.metadata.claimable ?? []
  const own = claimable.find(({ source }) => source === 'pool_reward')
  const gauge = (token: string) => claimable.find((it) => it.source === 'gauge' && it.asset_id === token)
  return {
    refused: own !== undefined && own.blocked !== null,
    claim_now: claim_now === null ? null : raw(own?.amount ?? '0'),
    gauges_claim_now: Object.fromEntries(
      Object.keys((gauges_claim_now ?? {}) as Words).map((token) => [token, raw(gauge(token)?.amount ?? '0')]),
    ),
  }
}

function claimsAsAnswered({ claim_now, user_reward, gauges_claim_now }: ExpectedAnswer): Members {
  const refused = claim_now === null && user_reward !== '0'
  return { refused, claim_now, gauges_claim_now: gauges_claim_now ?? {} }
}

function rangeAsShown(pool: Shown, answer: ExpectedAnswer): Members {
  const { tick_lower, tick_upper } = answer
  const range = pool?.metadata.ranges.find((it: Shown) => String(it.tick_lower) === tick_lower && String(it.tick_upper) === tick_upper)
  const fees = amounts(range?.fees, answer)
  return {
    position: { liquidity: range?.liquidity },
    fees: texts(fees),
    withdraw_all: texts(amounts(range?.principal, answer).map((amount, n) => amount + (fees[n] ?? 0n))),
  }
}

function rangeAsAnswered({ position, fees, withdraw_all }: ExpectedAnswer): Members {
  return { position: { liquidity: (position as Words).liquidity }, fees, withdraw_all }
}

describe('the as-of state reader', () => {
  it('the state of Aquarius in the as-of state reader equals the contracts’ answers: supply, reserves, share balances, rewards and gauges, amplification, slots and ticks', async () => {
    const view = aquariusView(whole.network)
    const contracts = [...new Set([...view.listings(), ...view.sharedRefs().map((ref) => ref.contract)])]
    const compared = new Compared('state')
    for (const [ledger, ofLedger] of answers) {
      const shared = await whole.state('aquarius', ledger, { contracts })
      const pools = view.pools(view.load(shared, ledger)).filter((pool) => !contracts.includes(pool))
      const state = view.load([...shared, ...(await whole.state('aquarius', ledger, { contracts: pools }))], ledger)
      for (const answer of ofLedger) {
        const at = { ledger, closeTimeSeconds: answer.close_time }
        for (const [kind, compare] of COMPARISONS) {
          const comparison = kind === answer.kind ? compare({ answer, state, at }) : null
          if (comparison !== null) compared.answer(compare.name, answer, comparison.ours, comparison.theirs)
        }
      }
    }
    compared.expectCounts('of Aquarius through the as-of state reader', {
      router: 301,
      listedPools: 301,
      pool: 2_894,
      poolRewards: 2_894,
      stableQuotes: 543,
      productQuotes: 1_448,
      productLiquidity: 1_189,
      gauge: 1_503,
      shares: 12_864,
      oneCoin: 4_114,
      claims: 18_991,
      userRewards: 18_991,
      ranges: 6_127,
      position: 4_961,
    })
  }, 1_200_000)
})

it('every comparison that the list of members claims for this file ran', () => {
  expect(claimsThatDidNotRun('aquarius', [...answers.values()].flat())).toEqual([])
})
