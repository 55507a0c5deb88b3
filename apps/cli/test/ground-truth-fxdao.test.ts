// The answers of FxDAO's contracts against ours, over the whole road: recorded ledgers in, `/v1` and the as-of state reader out.
// `ANSWERS.md` of the recording says what each answer is and where it is compared. Not a sample: every answer of every checkpoint.

import { fxdaoView } from '@orrery/fxdao'
import { COMPARISONS } from '@orrery/fxdao/answers'
import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { answersByLedger, Compared, each, raw } from './truth/recorded.ts'
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

describe('what /v1 says of an account as of a ledger', () => {
  it('is what the contracts say: vaults, their ratio and whether they may be liquidated, locked stakes and their rewards', async () => {
    const questions = Map.groupBy(
      [...ofAll('fxdao.vault'), ...ofAll('fxdao.locking_deposit')].sort((a, b) => a.ledger - b.ledger),
      ({ ledger, address }) => `${ledger} ${address}`,
    )
    const compared = new Compared()
    await each(
      questions,
      async ([question, lines]) => {
        const [ledger, address] = question.split(' ')
        const { data } = await whole.get(`/v1/users/${address}/positions/fxdao?as_of_ledger=${ledger}`)
        for (const line of lines) {
          const { contract, denomination, asset } = line
          const about = { ledger, address, denomination, asset }
          if (line.kind === 'fxdao.vault') {
            const vault = data.vaults.find((it: Words) => it.vaults_contract === contract && it.currency === denomination)
            compared.equal(line.vault === null ? 'no vault' : 'vault', about, vaultAsShown(vault), vaultAsTold(line))
          } else {
            const locked = data.locked.find((it: Words) => it.contract === contract && it.asset_id === asset)
            compared.equal(line.deposit === null ? 'no stake' : 'stake', about, stakeAsShown(locked), stakeAsTold(line))
          }
        }
        // Everything that is shown was told: all currencies and stakes of the account are asked about.
        const open = (kind: string, what: string) => lines.filter((line) => line.kind === kind && line[what] !== null).length
        if (lines.some(({ kind }) => kind === 'fxdao.vault')) {
          expect({ question, vaults: data.vaults.length }).toEqual({ question, vaults: open('fxdao.vault', 'vault') })
        }
      },
      ([, [line]]) => line?.ledger,
    )
    compared.print('through positions/fxdao')
    const { vault = 0, 'no vault': noVault = 0, stake = 0, 'no stake': noStake = 0 } = compared.counts
    expect([vault + noVault, stake + noStake]).toEqual([20_532, 3_456])
  }, 1_200_000)
})

function vaultAsShown(vault: Shown): object | null {
  if (vault === undefined) return null
  const { collateral, debt, collateral_ratio_pct: ratio, minimum_ratio_pct: minimum, health_factor: health } = vault
  return {
    collateral: raw(collateral),
    debt: raw(debt),
    // 1e7 = 100 %.
    ratio: raw(ratio, 5),
    isLiquidatable: BigInt(raw(ratio, 8)) < BigInt(raw(minimum, 8)),
    isUnhealthy: health.startsWith('0'),
  }
}

function vaultAsTold({ vault, collateral_ratio, liquidatable }: ExpectedAnswer): object | null {
  if (vault === null) return null
  const { total_collateral, total_debt } = vault as Words
  return {
    collateral: total_collateral,
    debt: total_debt,
    ratio: collateral_ratio,
    isLiquidatable: liquidatable,
    isUnhealthy: liquidatable,
  }
}

function stakeAsShown(locked: Shown): object | null {
  if (locked === undefined) return null
  const unlocksAt = String(Date.parse(locked.unlocks_at) / 1000)
  return { amount: raw(locked.amount), unlocks_at: unlocksAt, reward: raw(locked.claimable?.amount ?? '') }
}

function stakeAsTold({ deposit, reward }: ExpectedAnswer): object | null {
  if (deposit === null) return null
  const { amount, unlocks_at } = deposit as Words
  return { amount, unlocks_at, reward }
}

describe('what the as-of state reader holds of FxDAO', () => {
  it('is what the contracts say: settings, totals, the order of vaults, every vault with what closing it takes, locking pools', async () => {
    const view = fxdaoView(whole.network)
    const contracts = [...new Set([...view.contracts(), ...view.sharedRefs().map((ref) => ref.contract)])]
    const compared = new Compared()
    for (const [ledger, ofLedger] of answers) {
      const state = view.load(await whole.state('fxdao', ledger, { contracts }), ledger)
      for (const answer of ofLedger) {
        const { contract, address, denomination } = answer
        const at = { ledger, closeTimeSeconds: answer.close_time }
        for (const [kind, compare] of COMPARISONS) {
          const comparison = kind === answer.kind ? compare({ answer, state, network: whole.network, at }) : null
          if (comparison !== null)
            compared.equal(compare.name, { ledger, contract, address, denomination }, comparison.ours, comparison.theirs)
        }
      }
    }
    compared.print('of FxDAO through the as-of state reader')
    expect(compared.counts).toEqual({ core: 179, currency: 663, order: 661, vault: 20_532, lockingDeposit: 3_456, lockingPool: 241 })
  }, 1_200_000)
})
