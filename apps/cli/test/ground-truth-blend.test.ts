// The answers of Blend's contracts and of the oracles against ours, over the whole road: recorded ledgers in, `/v1` and the as-of state reader
// out. `ANSWERS.md` of the recording says what each answer is and where it is compared. Not a sample: every answer of every checkpoint.

import { blendView } from '@orrery/blend'
import { COMPARISONS } from '@orrery/blend/answers'
import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { answersByLedger, Compared, each, raw } from './truth/recorded.ts'
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

/** Digits of the rates, and of the rate modifier, in either version of the contracts. */
const RATE_DIGITS: Readonly<Record<number, number>> = { 1: 9, 2: 12 }
const MODIFIER_DIGITS: Readonly<Record<number, number>> = { 1: 9, 2: 7 }

describe('what /v1 says of pools as of a ledger', () => {
  it('is what the contracts say: rates and totals accrued to the close time, and what stands behind the pool', async () => {
    const compared = new Compared()
    await each(answers.keys(), async (ledger) => {
      const { data } = await whole.get(`/v1/protocols/blend/reserves?as_of_ledger=${ledger}`)
      const told = of(ledger, 'blend.reserve')
      for (const answer of told) {
        const { contract, asset } = answer
        const shown = data.reserves.find((it: Words) => it.contract === contract && it.asset_id === asset)
        compared.equal('reserve', { ledger, contract, asset }, shown && reserveAsShown(shown, answer), reserveAsTold(answer))
      }
      const backstops = of(ledger, 'blend.backstop_pool')
      for (const { contract, pool, balance } of backstops) {
        const { q4w, shares, tokens } = balance as Words
        const shown = data.backstops.find((it: Words) => it.contract === pool)
        const ours = shown && [shown.backstop_contract, raw(shown.q4w_shares), raw(shown.shares), raw(shown.lp_tokens)]
        compared.equal('backstop', { ledger, pool }, ours, [contract, q4w, shares, tokens])
      }
      // Nothing else is shown: every pool is asked about, and the one that only looks like one of ours is not there.
      expect({ ledger, reserves: data.reserves.length, backstops: data.backstops.length }).toEqual({
        ledger,
        reserves: told.length,
        backstops: backstops.length,
      })
    })
    compared.print('through protocols/blend/reserves')
    expect(compared.counts).toEqual({ reserve: 3_669, backstop: 1_218 })
  }, 900_000)

  it('gives assets the price of the oracle that it names', async () => {
    const compared = new Compared()
    await each(answers.keys(), async (ledger) => {
      const { enrichment } = await whole.get(`/v1/protocols/blend/reserves?as_of_ledger=${ledger}`)
      for (const { contract, asset, lastprice } of of(ledger, 'oracle.lastprice')) {
        const token = tokenOf(asset as { stellar?: string; other?: string })
        const shown = enrichment.assets[token]
        if (shown === undefined || shown.price_source !== `oracle:${contract}`) continue
        const price = (lastprice as Words | null)?.price
        const decimals = whole.network.oracles.find((oracle) => oracle.contract === contract)?.decimals ?? 0
        const theirs = price === undefined ? null : eightDigits(BigInt(price), decimals)
        compared.equal('price', { ledger, contract, token }, raw(shown.price_usd, 8), theirs)
      }
    })
    compared.print('through enrichment.assets')
    expect(compared.counts.price).toBeGreaterThan(0)
  }, 900_000)
})

/** What is the same in both: an oracle of symbols names the token that the registry's hints give that code. */
function tokenOf({ stellar, other }: { readonly stellar?: string; readonly other?: string }): string {
  if (stellar !== undefined) return stellar
  return Object.entries(whole.network.assets).find(([, { code }]) => code === other)?.[0] ?? ''
}

/** A price of a feed in dollars, to 1e-8, half up. */
function eightDigits(price: bigint, decimals: number): string {
  if (decimals <= 8) return (price * 10n ** BigInt(8 - decimals)).toString()
  const unit = 10n ** BigInt(decimals - 8)
  return ((price + unit / 2n) / unit).toString()
}

function reserveAsShown(shown: Answer['data'], { version }: ExpectedAnswer): object {
  const rateDigits = RATE_DIGITS[version as number]
  const { metadata } = shown
  return {
    index: String(metadata.index),
    b_rate: raw(shown.b_rate, rateDigits),
    d_rate: raw(shown.d_rate, rateDigits),
    b_supply: raw(metadata.b_supply),
    d_supply: raw(metadata.d_supply),
    backstop_credit: raw(metadata.backstop_credit),
    ir_mod: raw(metadata.rate_modifier, MODIFIER_DIGITS[version as number]),
    cash: raw(metadata.cash),
    supplied: [raw(shown.total_supplied), metadata.raw_total_supplied],
    borrowed: [raw(shown.total_borrowed), metadata.raw_total_borrowed],
    c_factor: raw(shown.c_factor),
    l_factor: raw(shown.l_factor),
    max_util: raw(metadata.max_utilization),
    util: raw(metadata.target_utilization),
    ...(version === 2 && { enabled: metadata.enabled, supply_cap: raw(shown.supply_cap) }),
  }
}

function reserveAsTold({ version, index, accrued, config, cash }: ExpectedAnswer): object {
  const { b_rate = '', d_rate = '', b_supply = '', d_supply = '', backstop_credit, ir_mod } = accrued as Words
  const { c_factor, l_factor, max_util, util, enabled, supply_cap } = config as Words
  const unit = 10n ** BigInt(RATE_DIGITS[version as number] ?? 0)
  // As the contract turns shares into tokens: what is supplied rounds down, what is owed up.
  const supplied = ((BigInt(b_supply) * BigInt(b_rate)) / unit).toString()
  const borrowed = ((BigInt(d_supply) * BigInt(d_rate) + unit - 1n) / unit).toString()
  const both = { index, b_rate, d_rate, b_supply, d_supply, backstop_credit, ir_mod, cash, c_factor, l_factor, max_util, util }
  const totals = { supplied: [supplied, supplied], borrowed: [borrowed, borrowed] }
  return { ...both, ...totals, ...(version === 2 && { enabled, supply_cap }) }
}

/** An asset on one side: shares, and what they are worth. */
type Holding = { readonly tokens: string; readonly underlying: string | null }
const SIDES = ['supply', 'collateral', 'liabilities'] as const

/** What is supplied is shown in one balance; what of it is collateral, beside it. */
function userAsShown({ supply, borrow }: Answer['data'], answer: ExpectedAnswer): object {
  const balances = { supply: new Map<string, Holding>(), collateral: new Map<string, Holding>(), liabilities: new Map<string, Holding>() }
  const add = (side: (typeof SIDES)[number], asset: string, tokens: bigint, underlying: bigint): void => {
    // Where the dry run that was to tell the worth was refused, there is nothing to lay beside ours.
    const isTold = toldWorth(answer, side, asset) !== null
    if (tokens > 0n) balances[side].set(asset, { tokens: tokens.toString(), underlying: isTold ? underlying.toString() : null })
  }
  for (const { asset_address: asset, units, metadata } of supply) {
    const collateral = BigInt(raw(metadata.collateral_share_amount))
    const worth = BigInt(raw(metadata.collateral_units))
    add('collateral', asset, collateral, worth)
    add('supply', asset, BigInt(raw(metadata.share_amount)) - collateral, BigInt(raw(units)) - worth)
  }
  for (const { asset_address: asset, units, metadata } of borrow) {
    add('liabilities', asset, BigInt(raw(metadata.share_amount)), BigInt(raw(units)))
  }
  return balances
}

function userAsTold(answer: ExpectedAnswer): object {
  const holdings = (side: (typeof SIDES)[number]) =>
    Object.entries(answer[side] as Words).map(([asset, tokens]) => [asset, { tokens, underlying: toldWorth(answer, side, asset) }] as const)
  return Object.fromEntries(SIDES.map((side) => [side, new Map(holdings(side))]))
}

function toldWorth({ underlying_now }: ExpectedAnswer, side: (typeof SIDES)[number], asset: string): string | null {
  const told = underlying_now as Record<string, Record<string, { underlying: string } | null> | null> | null
  return told?.[side]?.[asset]?.underlying ?? null
}

/** The balance of the reserve and side that a reserve token stands for. */
function balanceOf({ supply, borrow }: Answer['data'], { contract, reserve_token_id }: ExpectedAnswer): Answer['data'] {
  const token = Number(reserve_token_id)
  const asset = reserveAssets.get(`${contract} ${token >> 1}`)
  return (token % 2 === 1 ? supply : borrow).find((it: Words) => it.asset_address === asset)
}

/** Queued shares in the order of the contract, and what of them may leave now for how many LP tokens. */
function depositorAsShown(
  backstop: Answer['data'],
  { close_time, claimable, withdrawable }: ExpectedAnswer,
  behind: ExpectedAnswer | undefined,
): object {
  const queued = (backstop?.queued ?? []).map((it: Words) => ({
    amount: raw(String(it.shares)),
    exp: String(Date.parse(String(it.unlocks_at)) / 1000),
  })) as { amount: string; exp: string }[]
  const shares = queued.filter(({ exp }) => Number(exp) <= close_time).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  // Two that leave together are rounded together: the backstop's own totals, which are compared above, say how.
  const totals = behind?.balance as Words | undefined
  const lp = totals === undefined ? null : ((shares * BigInt(totals.tokens ?? 0)) / BigInt(totals.shares ?? 1)).toString()
  return {
    shares: raw(backstop?.shares ?? '0'),
    queued,
    // A claim that the contract refuses has no counterpart.
    claimable: (claimable as Words).blnd && raw(backstop?.claimable.amount ?? '0'),
    withdrawable: { shares: shares.toString(), lp: (withdrawable as Words | null)?.lp === undefined ? undefined : lp },
  }
}

function depositorAsTold({ user_balance, claimable, withdrawable }: ExpectedAnswer): object {
  const { shares, q4w } = user_balance as { shares: string; q4w: unknown }
  const out = withdrawable as Words | null
  return { shares, queued: q4w, claimable: (claimable as Words).blnd, withdrawable: { shares: out?.shares ?? '0', lp: out?.lp } }
}

describe('what /v1 says of an account in a pool as of a ledger', () => {
  it('is what the contracts say: shares and what they are worth, the backstop, and BLND that a claim would pay', async () => {
    const ofAll = (kind: string) => [...answers.keys()].flatMap((ledger) => of(ledger, kind))
    const backstops = Map.groupBy(ofAll('blend.backstop_pool'), ({ ledger, pool }) => `${ledger} ${pool}`)
    const questions = Map.groupBy(
      ['blend.user', 'blend.user_emissions', 'blend.backstop_user'].flatMap(ofAll),
      ({ ledger, address, contract, pool }) => `${ledger} ${address} ${pool ?? contract}`,
    )
    const compared = new Compared()
    await each(
      questions,
      async ([question, lines]) => {
        const [ledger, address, pool] = question.split(' ')
        const { data } = await whole.get(`/v1/users/${address}/positions/blend/${pool}?as_of_ledger=${ledger}`)
        for (const line of lines) {
          const { kind, reserve_token_id: token } = line
          const about = { ledger, address, pool, token }
          if (kind === 'blend.user') compared.equal(kind, about, userAsShown(data.pool, line), userAsTold(line))
          else if (kind === 'blend.backstop_user') {
            const behind = backstops.get(`${ledger} ${pool}`)?.[0]
            compared.equal(kind, about, depositorAsShown(data.pool.backstop, line, behind), depositorAsTold(line))
          } else compared.equal(kind, about, raw(balanceOf(data.pool, line)?.metadata.claimable ?? '0'), line.claimable)
        }
      },
      ([, [line]]) => `${line?.ledger} ${line?.pool ?? line?.contract}`,
    )
    compared.print('through positions/blend/{pool}')
    expect(compared.counts).toEqual({ 'blend.user': 15_726, 'blend.user_emissions': 23_833, 'blend.backstop_user': 5_705 })
  }, 1_800_000)

  it('is nothing in a pool that only looks like one of ours', async () => {
    const asked = new Set([...answers.values()].flat().flatMap((it) => (strangers.has(it.contract) ? [it.address] : [])))
    expect(strangers.size).toBe(1)
    for (const address of asked) {
      if (address === undefined) continue
      await expect(whole.get(`/v1/users/${address}/positions/blend/${[...strangers][0]}`)).rejects.toThrow(/404/)
    }
  })
})

describe('what the as-of state reader holds of Blend and of the oracles', () => {
  it('is what the contracts say, accrued to the close time', async () => {
    const blend = blendView(whole.network)
    const wholes = whole.network.deployments.blend.flatMap((it) => [it.factory, it.backstop, it.emitter, it.backstopToken])
    const contracts = [...new Set([...wholes, ...blend.sharedRefs().map((ref) => ref.contract)])]
    const compared = new Compared()
    for (const [ledger, ofLedger] of answers) {
      const shared = await whole.state('blend', ledger, { contracts })
      const pools = blend.pools(blend.load(shared, ledger))
      expect(pools.filter((pool) => strangers.has(pool))).toEqual([])
      const own = pools.length === 0 ? [] : await whole.state('blend', ledger, { contracts: pools })
      const state = blend.load([...shared, ...own], ledger)
      for (const answer of ofLedger) {
        if (strangers.has(answer.contract) || strangers.has(answer.pool)) continue
        const { contract, address } = answer
        const at = { ledger, closeTimeSeconds: answer.close_time }
        for (const [kind, compare] of COMPARISONS) {
          const comparison = kind === answer.kind ? compare({ answer, state, network: whole.network, at }) : null
          if (comparison !== null) compared.equal(kind, { ledger, contract, address }, comparison.ours, comparison.theirs)
        }
      }
    }
    compared.print('through the as-of state reader')
    expect(Object.values(compared.counts).reduce((sum, count) => sum + count, 0)).toBe(72_061)
  }, 1_800_000)
})
