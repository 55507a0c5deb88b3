// The answers of FxDAO's contracts against Orrery's, end to end: from recorded ledgers to `/v1` and the as-of state reader.
// `ANSWERS.md` of the recording describes each answer and its comparison. Every answer of the sampled checkpoints is compared (`truth/sampled.ts`).

import { fxdaoView } from '@orrery/fxdao'
import { COMPARISONS } from '@orrery/fxdao/answers'
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

beforeAll(async () => {
  answers = await answersByLedger('fxdao.')
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

const ofAll = (kind: string): ExpectedAnswer[] => [...answers.values()].flat().filter((answer) => answer.kind === kind)

/** Asked once for each ledger: every account's vaults are measured by it. */
const reservesByLedger = new Map<number, Promise<Answer>>()

function reservesAt(ledger: number): Promise<Answer> {
  const known = reservesByLedger.get(ledger) ?? whole.get(`/v1/protocols/fxdao/reserves?as_of_ledger=${ledger}`)
  reservesByLedger.set(ledger, known)
  return known
}

describe('accounts', () => {
  it('the answer of /v1 about an account as of a ledger equals the contracts’ answers: vaults, their ratio and whether they may be liquidated, locked stakes and their rewards', async () => {
    const questions = Map.groupBy(
      [...ofAll('fxdao.vault'), ...ofAll('fxdao.locking_deposit')].sort((a, b) => a.ledger - b.ledger),
      ({ ledger, address }) => `${ledger} ${address}`,
    )
    const compared = new Compared('/v1')
    const settings = Map.groupBy(ofAll('fxdao.currency'), ({ ledger, denomination }) => `${ledger} ${denomination}`)
    await each(
      questions,
      async ([question, lines]) => {
        const [ledger, address] = question.split(' ')
        const { data } = await whole.get(`/v1/users/${address}/positions/fxdao?as_of_ledger=${ledger}`)
        const { data: reserves } = await reservesAt(Number(ledger))
        for (const line of lines) {
          const { contract, denomination, asset } = line
          if (line.kind === 'fxdao.vault') {
            const vault = data.vaults.find((it: Words) => it.vaults_contract === contract && it.currency === denomination)
            const reserve = reserves.reserves.find((it: Shown) => it.contract === contract && it.metadata.currency === denomination)
            const minimum = settings.get(`${ledger} ${denomination}`)?.[0]?.vaults_info as Words | undefined
            compared.answer(line.vault === null ? 'no vault' : 'vault', line, vaultAsShown(vault, reserve), vaultAsAnswered(line, minimum))
          } else {
            const locked = data.locked.find((it: Words) => it.contract === contract && it.asset_id === asset)
            compared.answer(line.deposit === null ? 'no stake' : 'stake', line, stakeAsShown(locked), stakeAsAnswered(line))
          }
        }
        // Everything that is shown was asked about: all currencies, and all stakes where any are.
        const count = (kind: string, what: string) => lines.filter((line) => line.kind === kind && line[what] !== null).length
        if (lines.some(({ kind }) => kind === 'fxdao.vault')) {
          expect({ question, vaults: data.vaults.length }).toEqual({ question, vaults: count('fxdao.vault', 'vault') })
        }
        if (lines.some(({ kind }) => kind === 'fxdao.locking_deposit')) {
          expect({ question, locked: data.locked.length }).toEqual({ question, locked: count('fxdao.locking_deposit', 'deposit') })
        }
      },
      ([, [line]]) => line?.ledger,
    )
    compared.expectCounts('through positions/fxdao', { vault: 8_973, 'no vault': 11_559, stake: 464, 'no stake': 2_992 })
  }, 1_200_000)
})

/** With what the API's own figures say of closing it and of how far it is from the opening ratio, by the contract's arithmetic. */
function vaultAsShown(vault: Shown, reserve: Shown): Members {
  if (vault === undefined) return { vault: null }
  const [collateral, debt] = [BigInt(raw(vault.collateral)), BigInt(raw(vault.debt))]
  const { rate, opening_ratio_pct, fee_pct } = reserve.metadata
  // 1e7 = 100 %; of the rate one unit.
  const [price, opening, fee] = [BigInt(raw(rate)), BigInt(raw(opening_ratio_pct, 5)), BigInt(raw(fee_pct, 5))]
  const charged = ceil(collateral * fee, 10_000_000n)
  const [more, out] = [(price * collateral) / opening - debt, collateral - ceil(opening * debt, price)]
  return {
    vault: { total_collateral: String(collateral), total_debt: String(debt) },
    collateral_ratio: raw(vault.collateral_ratio_pct, 5),
    liquidatable: BigInt(raw(vault.collateral_ratio_pct, 8)) < BigInt(raw(vault.minimum_ratio_pct, 8)),
    health_factor: raw(vault.health_factor, 8),
    close: { pay: String(debt), receive: String(collateral - charged), fee: String(charged) },
    max_more_debt: String(more > 0n ? more : 0n),
    max_withdraw: String(out > 0n ? out : 0n),
  }
}

const ceil = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator

/** Health is the collateral ratio over the minimum ratio that the contract has now, to 8 digits, half up. */
function vaultAsAnswered(answer: ExpectedAnswer, minimum: Words | undefined): Members {
  const { vault, collateral_ratio, liquidatable, close, max_more_debt, max_withdraw } = answer
  if (vault === null) return { vault }
  const { total_collateral, total_debt } = vault as Words
  const least = BigInt(minimum?.min_col_rate ?? 0)
  const health = (BigInt(String(collateral_ratio)) * 100_000_000n + least / 2n) / least
  return {
    ...{ vault: { total_collateral, total_debt }, collateral_ratio, liquidatable, close, max_more_debt, max_withdraw },
    health_factor: String(health),
  }
}

function stakeAsShown(locked: Shown): Members {
  if (locked === undefined) return { deposit: null }
  const unlocks_at = String(Date.parse(locked.unlocks_at) / 1000)
  return { deposit: { amount: raw(locked.amount), unlocks_at }, reward: raw(locked.claimable[0]?.amount ?? '0') }
}

function stakeAsAnswered({ deposit, reward }: ExpectedAnswer): Members {
  if (deposit === null) return { deposit }
  const { amount, unlocks_at } = deposit as Words
  return { deposit: { amount, unlocks_at }, reward }
}

describe('currencies', () => {
  it('the answer of /v1 about currencies as of a ledger equals the contracts’ answers: coins, conditions, totals, and the rate of the feed', async () => {
    const compared = new Compared('/v1')
    await each(answers, async ([ledger, ofLedger]) => {
      const { data } = await reservesAt(ledger)
      const ofContract = (contract: string) => data.reserves.filter((it: Shown) => it.contract === contract && it.metadata.currency)
      for (const answer of ofLedger) {
        if (answer.kind === 'fxdao.currency') {
          const shown = ofContract(answer.contract).find((it: Shown) => it.metadata.currency === answer.denomination)
          compared.answer('currency', answer, shown === undefined ? {} : currencyAsShown(shown), currencyAsAnswered(answer))
        }
        if (answer.kind === 'fxdao.core' && ofContract(answer.contract).length > 0) {
          const { fee, oracle, col_token } = answer.core_state as Words
          const [shown] = ofContract(answer.contract)
          const { fee_pct, collateral_asset } = shown.metadata
          const ours = { fee: raw(fee_pct, 5), oracle: shown.oracle_contract, col_token: collateral_asset }
          compared.answer('core', answer, { core_state: ours }, { core_state: { fee, oracle, col_token } })
        }
      }
    })
    compared.expectCounts('through protocols/fxdao/reserves', { currency: 663, core: 179 })
  }, 900_000)
})

function currencyAsShown(shown: Shown): Members {
  const { currency, collateral, vaults, minimum_ratio_pct, opening_ratio_pct, minimum_debt, rate } = shown.metadata
  return {
    denomination: currency,
    currency: { contract: shown.asset_id, denomination: currency },
    oracle: shown.oracle_contract,
    price: rate === null ? null : { price: raw(rate) },
    vaults_info: {
      min_col_rate: raw(minimum_ratio_pct, 5),
      min_debt_creation: raw(minimum_debt),
      opening_col_rate: raw(opening_ratio_pct, 5),
      total_col: raw(collateral),
      total_debt: raw(shown.total_borrowed),
      total_vaults: String(vaults),
    },
  }
}

function currencyAsAnswered({ denomination, currency, oracle, price, vaults_info }: ExpectedAnswer): Members {
  const { contract } = currency as Words
  const { min_col_rate, min_debt_creation, opening_col_rate, total_col, total_debt, total_vaults } = vaults_info as Words
  return {
    denomination,
    currency: { contract, denomination },
    oracle,
    price: price === null ? null : { price: (price as Words).price },
    vaults_info: { min_col_rate, min_debt_creation, opening_col_rate, total_col, total_debt, total_vaults },
  }
}

describe('the as-of state reader', () => {
  it('the state of FxDAO in the as-of state reader equals the contracts’ answers: settings, totals, the order of vaults, every vault with the cost of closing it, locking pools', async () => {
    const view = fxdaoView(whole.network)
    const contracts = [...new Set([...view.contracts(), ...view.sharedRefs().map((ref) => ref.contract)])]
    const compared = new Compared('state')
    for (const [ledger, ofLedger] of answers) {
      const state = view.load(await whole.state('fxdao', ledger, { contracts }), ledger)
      for (const answer of ofLedger) {
        const at = { ledger, closeTimeSeconds: answer.close_time }
        for (const [kind, compare] of COMPARISONS) {
          const comparison = kind === answer.kind ? compare({ answer, state, network: whole.network, at }) : null
          if (comparison !== null) compared.answer(compare.name, answer, comparison.ours, comparison.theirs)
        }
      }
    }
    compared.expectCounts('of FxDAO through the as-of state reader', {
      core: 179,
      currency: 663,
      order: 661,
      liquidatable: 661,
      vault: 20_532,
      closeDryRun: 4_854,
      lockingDeposit: 3_456,
      withdrawDryRun: 464,
      lockingPool: 241,
    })
  }, 1_200_000)
})

it('every comparison that the list of members claims for this file ran', () => {
  const kinds = ['fxdao.core', 'fxdao.currency', 'fxdao.vault', 'fxdao.locking_deposit', 'fxdao.locking_pool']
  expect(
    claimsThatDidNotRun(
      'fxdao',
      [...answers.values()].flat().filter(({ kind }) => kinds.includes(kind)),
    ),
  ).toEqual([])
})
