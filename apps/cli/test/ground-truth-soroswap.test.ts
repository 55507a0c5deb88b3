// The answers of Soroswap's contracts against Orrery's, end to end: from recorded ledgers to `/v1` and the as-of state reader.
// `ANSWERS.md` of the recording describes each answer and its comparison. Every answer of the sampled checkpoints is compared (`truth/sampled.ts`).

import { soroswapView } from '@orrery/soroswap'
import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claimsThatDidNotRun } from './truth/claims.ts'
import { Compared } from './truth/compared.ts'
import { answersByLedger, each, raw } from './truth/recorded.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Words = Record<string, string>

let whole: WholeNetwork
let answers: Map<number, ExpectedAnswer[]>

beforeAll(async () => {
  answers = await answersByLedger('soroswap.')
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

const of = (ledger: number, kind: string): ExpectedAnswer[] => (answers.get(ledger) ?? []).filter((answer) => answer.kind === kind)

describe('answers of Soroswap', () => {
  it('every Soroswap answer of the recording equals the reserves that /v1 shows as of its ledger', async () => {
    const compared = new Compared('/v1')
    await each(answers.keys(), async (ledger) => {
      const { data } = await whole.get(`/v1/protocols/soroswap/reserves?as_of_ledger=${ledger}`)
      for (const answer of of(ledger, 'soroswap.pair')) {
        const [first, second] = [answer.token_0, answer.token_1].map((token) =>
          data.reserves.find((it: Words) => it.contract === answer.contract && it.asset_id === token),
        )
        compared.answer('pair', answer, {
          reserve_0: raw(first.total_supplied),
          reserve_1: raw(second.total_supplied),
          balance_0: raw(first.metadata.balance),
          balance_1: raw(second.metadata.balance),
          total_supply: raw(first.metadata.share_supply),
        })
      }
    })
    compared.expectCounts('through protocols/soroswap/reserves', { pair: 862 })
  }, 900_000)

  it('every Soroswap answer of the recording equals the payouts that /v1 shows as of its ledger, for every account asked', async () => {
    const questions = Map.groupBy(
      [...answers.keys()].flatMap((ledger) => of(ledger, 'soroswap.shares')),
      ({ ledger, address }) => `${ledger} ${address}`,
    )
    const compared = new Compared('/v1')
    await each(
      questions,
      async ([question, lines]) => {
        const [ledger, address] = question.split(' ')
        const { data } = await whole.get(`/v1/users/${address}/positions/soroswap?as_of_ledger=${ledger}`)
        for (const line of lines) {
          const pair = data.pairs.find((it: Words) => it.pair_address === line.contract)
          const [first, second] = (pair?.tokens ?? []).map((token: Words) => raw(String(token.units)))
          if (pair === undefined) compared.answer('none', line, { shares: '0' })
          // Not asked of contracts, or refused with an error text: dust.
          else if (!/^\d+$/.test(String(line.remove_amount_0))) compared.answer('shares', line, { shares: pair.metadata.raw_amount })
          else compared.answer('payout', line, { shares: pair.metadata.raw_amount, remove_amount_0: first, remove_amount_1: second })
        }
      },
      ([, [line]]) => line?.ledger,
    )
    compared.expectCounts('through positions/soroswap', { payout: 17_001, none: 10_998, shares: 447 })
  }, 1_200_000)

  it('every Soroswap answer of the recording equals what the as-of state reader holds: balances, supply, k_last, own shares, every holder, the factory', async () => {
    const view = soroswapView(whole.network)
    const compared = new Compared('state')
    for (const [ledger] of answers) {
      const pairs = of(ledger, 'soroswap.pair')
      const rows = [
        ...(await whole.state('soroswap', ledger, { contracts: pairs.map((pair) => pair.contract) })),
        ...(await whole.state('soroswap', ledger, { contracts: view.listings(), keyFrom: 'a' })),
      ]
      const state = view.load(rows, ledger)
      for (const pair of pairs) {
        const ours = state.pairs.get(pair.contract)
        const [first, second] = ours?.tokens ?? []
        // A pair that never got anything has no balance entry.
        const balance = (token: string | undefined) => String(ours?.balances.get(token ?? '')?.value ?? 0n)
        compared.answer('pair', pair, {
          token_0: first,
          token_1: second,
          reserve_0: String(ours?.instance?.value.reserve0),
          reserve_1: String(ours?.instance?.value.reserve1),
          balance_0: balance(first),
          balance_1: balance(second),
          total_supply: String(ours?.instance?.value.totalSupply),
          k_last: String(ours?.instance?.value.kLast ?? 0n),
          own_shares: String(ours?.holders.get(pair.contract)?.shares?.value ?? 0n),
        })
      }
      for (const line of of(ledger, 'soroswap.shares')) {
        const held = state.pairs.get(line.contract)?.holders.get(line.address as string)?.shares?.value ?? 0n
        compared.answer('shares', line, { shares: String(held) })
      }
      for (const line of of(ledger, 'soroswap.factory')) {
        const factory = view.factory(state, line.contract)
        compared.answer('factory', line, {
          all_pairs_length: String(factory?.totalPairs),
          fee_to: factory?.feeTo,
          fee_to_setter: factory?.feeToSetter,
          fees_enabled: factory?.feesEnabled,
        })
      }
    }
    compared.expectCounts('of Soroswap through the as-of state reader', { pair: 862, shares: 28_446, factory: 147 })
  })
})

it('every comparison that the list of members claims for this file ran', () => {
  expect(claimsThatDidNotRun('soroswap', [...answers.values()].flat())).toEqual([])
})
