// Blend's derived figures through `/v1` at every checkpoint, each recomputed from the contracts' answers with arithmetic of its own
// (truth/expected-blend.ts): rates, caps, emissions, the backstop; health, limits, prices of liquidation and yields of every account asked.

import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry, type Words } from './truth/checkpoint.ts'
import { claimsThatDidNotRun } from './truth/claims.ts'
import { Compared } from './truth/compared.ts'
import { type ExpectedBackstop, ExpectedPool, type ExpectedReserve, usdValueOf } from './truth/expected-blend.ts'
import { ExpectedAccount, type ExpectedBalance } from './truth/expected-blend-account.ts'
import { ExpectedPrices, priceText } from './truth/expected-prices.ts'
import { Fraction, usdText, ZERO } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { expectCounts, isSampled } from './truth/sampled.ts'
import { WholeNetwork } from './truth/whole-network.ts'

type Shown = Answer['data']

let whole: WholeNetwork
let checkpoints: Checkpoint[]
let registry: Registry

beforeAll(async () => {
  registry = readRegistry()
  const all = await readCheckpoints('blend.', 'oracle.')
  checkpoints = all.filter(({ ledger }) => isSampled(ledger))
  whole = await WholeNetwork.open()
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

/** Pools of the factories, by contract. */
function poolsAt(at: Checkpoint): Map<string, ExpectedPool> {
  const prices = new ExpectedPrices(at, registry)
  const lines = at.of('blend.pool').filter((line) => line.from_factory === true)
  return new Map(lines.map((line) => [line.contract, new ExpectedPool(line, at, prices)]))
}

const units = (raw: bigint, decimals: number): string => Fraction.units(raw, decimals).text(decimals)
const textOf = (value: Fraction | null): string | null => (value === null ? null : usdText(value))

/** The pool's own number: even ones are set by the admin, odd ones by any account (section 5.1 of the reference). */
const STATUS = ['active', 'active', 'on_ice', 'on_ice', 'frozen', 'frozen', 'setup']

describe('lending pools', () => {
  it('utilization, APR, APY, caps, USD and status of a lending pool follow from its own rates, configs, emissions and prices', async () => {
    const compared = new Compared('/v1')
    await each(checkpoints, async (at) => {
      const { data } = await whole.get(`/v1/protocols/blend/reserves?as_of_ledger=${at.ledger}`)
      for (const [contract, pool] of poolsAt(at)) {
        for (const line of at.of('blend.reserve').filter((it) => it.contract === contract)) {
          const shown = data.reserves.find((it: Shown) => it.contract === contract && it.asset_id === line.asset)
          const expected = pool.reserves.get(String(line.asset))
          if (expected === undefined) throw new Error('every line is a reserve')
          const about = { ledger: at.ledger, contract, asset: line.asset }
          compared.equal('reserve', about, reserveAsShown(shown), reserveAsExpected(expected, line, pool))
        }
        const backstop = pool.backstop()
        const shown = data.backstops.find((it: Shown) => it.contract === contract)
        if (backstop !== null) {
          compared.equal('backstop', { ledger: at.ledger, contract }, backstopAsShown(shown), backstopAsExpected(backstop, at))
        }
      }
      for (const line of at.of('blend.backstop')) compareRewardZone(line, at, data.backstops, compared)
    })
    compared.print('of derived figures of lending pools')
    expectCounts('derived figures of lending pools', compared.counts, { backstop: 1_218, reserve: 3_669, 'reward zone': 532 })
  }, 900_000)
})

/** The pools of a backstop that are shown as in its reward zone; the order of a zone has no meaning. */
function compareRewardZone(line: ExpectedAnswer, at: Checkpoint, backstops: Shown[], compared: Compared): void {
  const pools = at.of('blend.backstop_pool').filter(({ contract }) => contract === line.contract)
  const shown = backstops.filter((it) => it.metadata.in_reward_zone && pools.some(({ pool }) => pool === it.contract))
  const zone = shown.map(({ contract }) => contract).sort()
  compared.answer('reward zone', line, { reward_zone: zone }, { reward_zone: (line.reward_zone as string[]).toSorted() })
}

function reserveAsShown({ metadata, ...shown }: Shown): object {
  const { utilization, borrow_apr, supply_apr, borrow_apy, supply_apy, borrow_cap, status } = shown
  const { supplied_usd, borrowed_usd, price_usd, price_source } = metadata
  return {
    utilization,
    borrow_apr,
    supply_apr,
    borrow_apy,
    supply_apy,
    borrow_cap,
    status,
    supplied_usd,
    borrowed_usd,
    price_usd,
    price_source,
  }
}

function reserveAsExpected(it: ExpectedReserve, { config, version }: ExpectedAnswer, { line }: ExpectedPool): object {
  const status = STATUS[Number((line.config as Words).status)]
  const isDisabled = version === 2 && (config as { enabled: boolean }).enabled === false
  const [price_usd, price_source] = priceText(it.price)
  return {
    utilization: it.utilization.text(7),
    borrow_apr: it.borrowApr.text(7),
    supply_apr: it.supplyApr.text(7),
    borrow_apy: it.borrowApy.text(8),
    supply_apy: it.supplyApy.text(8),
    borrow_cap: units(it.borrowCap, it.decimals),
    status: isDisabled && status === 'active' ? 'paused' : status,
    supplied_usd: textOf(usdValueOf(it.supplied, it.price, it.decimals)),
    borrowed_usd: textOf(usdValueOf(it.borrowed, it.price, it.decimals)),
    price_usd,
    price_source,
  }
}

function backstopAsShown({ metadata, ...shown }: Shown): object {
  const { usd_value, q4w_pct, blnd_amount, usdc_amount } = shown
  const { apr, emission_apy, tokens_per_second } = metadata
  return { usd_value, q4w_pct, blnd_amount, usdc_amount, apr, emission_apy, tokens_per_second }
}

/** Of both tokens of the Comet pool, which counts with as many digits. */
const COMET_DECIMALS = 7

function backstopAsExpected({ line, usd, apr, emissionApy, perSecond }: ExpectedBackstop, at: Checkpoint): object {
  const { blnd = '', usdc = '', q4w_pct = '' } = line.pool_data as Words
  // v2 answers what its LP tokens stand for now. v1 counts with a value of an LP token that it stores on request, and it may be old: there the
  // Comet pool's own answers say it, by the formula of v2 (section 4.8 of the reference).
  const standsFor = (answer: string, held: 'blnd' | 'usdc'): bigint => (line.version === 2 ? BigInt(answer) : heldBehind(line, at, held))
  return {
    usd_value: textOf(usd),
    q4w_pct: Fraction.units(q4w_pct, 5).text(5),
    blnd_amount: units(standsFor(blnd, 'blnd'), COMET_DECIMALS),
    usdc_amount: units(standsFor(usdc, 'usdc'), COMET_DECIMALS),
    apr: textOf(apr),
    emission_apy: textOf(emissionApy),
    tokens_per_second: perSecond.text(14),
  }
}

function heldBehind({ contract, balance }: ExpectedAnswer, at: Checkpoint, held: 'blnd' | 'usdc'): bigint {
  const { backstop_token } = registry.protocols.blend.deployments.find((it) => it.backstop === contract) ?? {}
  const comet = at.of('blend.comet').find((it) => it.contract === backstop_token)
  if (comet === undefined) throw new Error(`the Comet pool of ${contract} was not asked at ${at.ledger}`)
  const perLpToken = (BigInt(String(comet[held])) * 10_000_000n) / BigInt(String(comet.total_supply))
  return (BigInt((balance as Words).tokens ?? '') * perLpToken) / 10_000_000n
}

it('every comparison that the list of members claims for this file ran', () => {
  expect(
    claimsThatDidNotRun(
      'derived-blend',
      checkpoints.flatMap((at) => at.of('blend.backstop')),
    ),
  ).toEqual([])
})

describe('accounts in lending pools', () => {
  it('USD, health factor, borrow limit, liquidation prices, APY and backstop of an account in a lending pool follow from its recorded shares', async () => {
    const compared = new Compared()
    await each(checkpoints, async (at) => {
      const pools = poolsAt(at)
      const questions = Map.groupBy([...at.of('blend.user'), ...at.of('blend.backstop_user')], ({ address, pool, contract }) => {
        return `${address} ${pool ?? contract}`
      })
      for (const [question, lines] of questions) {
        const [address, contract = ''] = question.split(' ')
        const pool = pools.get(contract)
        // The pool that only looks like one of ours has none.
        if (pool === undefined) continue
        const { data } = await whole.get(`/v1/users/${address}/positions/blend/${contract}?as_of_ledger=${at.ledger}`)
        const about = { ledger: at.ledger, address, pool: contract }
        for (const line of lines) {
          if (line.kind === 'blend.user') compareAccount(new ExpectedAccount(line, pool), data.pool, about, compared)
          else compareDepositor(line, pool.backstop(), data.pool.backstop, about, compared)
        }
      }
    })
    compared.print('of derived figures of accounts')
    expectCounts('derived figures of accounts', compared.counts, {
      account: 15_726,
      depositor: 5_705,
      'with a health factor': 3_091,
      'with a liquidation price': 2_996,
      'with emissions': 5_862,
    })
  }, 1_800_000)
})

function compareAccount(expected: ExpectedAccount, shown: Shown, about: object, compared: Compared): void {
  compared.equal('account', about, accountAsShown(shown), accountAsExpected(expected))
  if (expected.healthFactor !== null) compared.count('with a health factor')
  if (expected.borrow.some((it) => expected.liquidationPrice(it) !== null)) compared.count('with a liquidation price')
  const emissions = [...expected.supply.map((it) => it.reserve.supplyEmission), ...expected.borrow.map((it) => it.reserve.borrowEmission)]
  if (emissions.some((it) => it !== null && it.perSecond.sign > 0)) compared.count('with emissions')
}

function compareDepositor(line: ExpectedAnswer, backstop: ExpectedBackstop | null, shown: Shown, about: object, compared: Compared): void {
  if (backstop === null) throw new Error(`nothing is recorded of the backstop of ${line.pool} at ${line.ledger}`)
  const usd = backstop.valueOfShares(BigInt(line.all_shares as string))
  const expected = [textOf(usd), textOf(backstop.apr ?? ZERO)]
  // Without shares and rewards there is no backstop in the answer.
  compared.equal('depositor', about, shown === null ? ['0', expected[1]] : [shown.usd_value, shown.apr], expected)
}

/** Balances without units, which only have rewards left, are another test's. */
function accountAsShown({ supply, borrow, ...pool }: Shown): object {
  const { net_usd, net_apy, health_factor, borrow_limit_pct } = pool
  const balances = (side: Shown[]) =>
    Object.fromEntries(side.filter((it) => it.units !== '0').map((it) => [it.asset_address, balanceAsShown(it)]))
  return { net_usd, net_apy, health_factor, borrow_limit_pct, supply: balances(supply), borrow: balances(borrow) }
}

function balanceAsShown({ metadata, units, usd_value, base_apr, base_apy, emission_apy }: Shown): object {
  const { collateral_usd = null, liquidation_price } = metadata
  return { units, usd_value, base_apr, base_apy, emission_apy, collateral_usd, liquidation_price }
}

function accountAsExpected(account: ExpectedAccount): object {
  const balances = (side: 'supply' | 'borrow') =>
    Object.fromEntries(
      account[side].filter(({ amount }) => amount > 0n).map((it) => [it.reserve.asset, balanceAsExpected(it, side, account)]),
    )
  return {
    net_usd: usdText(account.netUsd),
    net_apy: usdText(account.netApy ?? ZERO),
    health_factor: account.healthFactor,
    borrow_limit_pct: account.borrowLimitPct,
    supply: balances('supply'),
    borrow: balances('borrow'),
  }
}

function balanceAsExpected(balance: ExpectedBalance, side: 'supply' | 'borrow', account: ExpectedAccount): object {
  const { reserve, amount, usd, collateralUsd } = balance
  const isSupply = side === 'supply'
  const emission = isSupply ? reserve.supplyEmission : reserve.borrowEmission
  return {
    units: units(amount, reserve.decimals),
    usd_value: textOf(usd),
    base_apr: (isSupply ? reserve.supplyApr : reserve.borrowApr).text(7),
    base_apy: (isSupply ? reserve.supplyApy : reserve.borrowApy).text(8),
    // Where BLND has no price the answer shows "0" and is partial.
    emission_apy: emission === null ? '0' : usdText(emission.apy ?? ZERO),
    collateral_usd: isSupply ? textOf(collateralUsd) : null,
    liquidation_price: account.liquidationPrice(balance),
  }
}
