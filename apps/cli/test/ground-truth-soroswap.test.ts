// The answers of Soroswap's contracts against ours, over the whole road: recorded ledgers in, `/v1` and the as-of state reader out.
// `ANSWERS.md` of the recording says what each answer is and where it is compared. Not a sample: every answer of every checkpoint.

import { soroswapView } from '@orrery/soroswap'
import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answersByLedger, Compared, each, raw } from './truth/recorded.ts'
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

describe('every Soroswap answer of the recording', () => {
  it('equals the reserves that /v1 shows as of its ledger', async () => {
    const compared = new Compared()
    await each(answers.keys(), async (ledger) => {
      const { data } = await whole.get(`/v1/protocols/soroswap/reserves?as_of_ledger=${ledger}`)
      for (const { contract, token_0, token_1, reserve_0, reserve_1 } of of(ledger, 'soroswap.pair')) {
        const shown = [token_0, token_1].map((token) =>
          data.reserves.find((it: Words) => it.contract === contract && it.asset_id === token),
        )
        const ours = shown.map((reserve) => raw(reserve.total_supplied))
        compared.equal('pair', { ledger, contract }, ours, [reserve_0, reserve_1])
      }
    })
    compared.print('through protocols/soroswap/reserves')
    expect(compared.counts).toEqual({ pair: 862 })
  })

  it('equals the payouts that /v1 shows as of its ledger, for every account asked', async () => {
    const questions = Map.groupBy(
      [...answers.keys()].flatMap((ledger) => of(ledger, 'soroswap.shares')),
      ({ ledger, address }) => `${ledger} ${address}`,
    )
    const compared = new Compared()
    await each(
      questions,
      async ([question, lines]) => {
        const [ledger, address] = question.split(' ')
        const { data } = await whole.get(`/v1/users/${address}/positions/soroswap?as_of_ledger=${ledger}`)
        for (const { contract, shares, remove_amount_0, remove_amount_1 } of lines) {
          const about = { ledger, address, contract }
          const pair = data.pairs.find((it: Words) => it.pair_address === contract)
          if (pair === undefined) compared.equal('none', about, '0', shares)
          // Not asked of contracts, or refused with an error text: dust.
          else if (!/^\d+$/.test(String(remove_amount_0))) compared.equal('shares', about, pair.metadata.raw_amount, shares)
          else {
            const ours = [pair.metadata.raw_amount, ...pair.tokens.map((token: Words) => raw(String(token.units)))]
            compared.equal('payout', about, ours, [shares, remove_amount_0, remove_amount_1])
          }
        }
      },
      ([, [line]]) => line?.ledger,
    )
    compared.print('through positions/soroswap')
    expect(Object.values(compared.counts).reduce((sum, count) => sum + count, 0)).toBe(28_446)
  }, 1_200_000)

  it('equals what the as-of state reader holds: balances, supply, k_last, own shares, every holder, the factory', async () => {
    const view = soroswapView(whole.network)
    const compared = new Compared()
    for (const [ledger] of answers) {
      const pairs = of(ledger, 'soroswap.pair')
      const rows = [
        ...(await whole.state('soroswap', ledger, { contracts: pairs.map((pair) => pair.contract) })),
        ...(await whole.state('soroswap', ledger, { contracts: view.factories(), keyFrom: 'a' })),
      ]
      const state = view.load(rows, ledger)
      for (const pair of pairs) {
        const { contract } = pair
        const ours = state.pairs.get(contract)
        const tokens = [pair.token_0, pair.token_1] as string[]
        compared.equal(
          'pair',
          { ledger, contract },
          {
            tokens: ours?.tokens,
            // A pair that never got anything has no balance entry.
            balances: tokens.map((token) => ours?.balances.get(token)?.value ?? 0n),
            supply: ours?.instance?.value.totalSupply,
            kLast: ours?.instance?.value.kLast ?? 0n,
            own: ours?.holders.get(contract)?.shares?.value ?? 0n,
          },
          {
            tokens,
            balances: [BigInt(pair.balance_0 as string), BigInt(pair.balance_1 as string)],
            supply: BigInt(pair.total_supply as string),
            kLast: BigInt(pair.k_last as string),
            own: BigInt(pair.own_shares as string),
          },
        )
      }
      for (const { contract, address, shares } of of(ledger, 'soroswap.shares')) {
        const held = state.pairs.get(contract)?.holders.get(address as string)?.shares?.value ?? 0n
        compared.equal('shares', { ledger, contract, address }, String(held), shares)
      }
      for (const line of of(ledger, 'soroswap.factory')) {
        const factory = view.factory(state, line.contract)
        compared.equal(
          'factory',
          { ledger },
          [String(factory?.totalPairs), factory?.feeTo, factory?.feeToSetter, factory?.feesEnabled],
          [line.all_pairs_length, line.fee_to, line.fee_to_setter, line.fees_enabled],
        )
      }
    }
    compared.print('of Soroswap through the as-of state reader')
    expect(compared.counts).toEqual({ pair: 862, shares: 28_446, factory: 147 })
  })
})
