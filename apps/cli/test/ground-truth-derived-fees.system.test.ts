// Fee APR and APY of liquidity pools through `/v1`, recomputed from the trades that the recorded ledgers have: fees that stay with the holders, of
// the last 7 days, over the mean value of the pool (docs/protocols/soroswap.md, "Fee APY"; section 4.5 of the Aquarius reference for which
// part of a fee stays). Between checkpoints no price is recorded: fees are valued at the stored price of the pool's snapshot of that ledger,
// and the mean is that of its stored values. Both are compared with the recorded answers by the tests of prices and of TVL.

import type { ExpectedAnswer } from '@orrery/testkit'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Answer } from './indexed-network.ts'
import { type Checkpoint, type Registry, readCheckpoints, readRegistry } from './truth/checkpoint.ts'
import { Compared } from './truth/compared.ts'
import { Fraction, ONE, sum, USD_DIGITS, usdText, ZERO } from './truth/fraction.ts'
import { each } from './truth/recorded.ts'
import { type RecordedTrade, type RecordedTrades, readTrades } from './truth/recorded-trades.ts'
import { expectCounts, isSampled } from './truth/sampled.ts'
import { storedRows } from './truth/stored-rows.ts'
import { WholeNetwork } from './truth/whole-network.ts'

const WINDOW_SECONDS = 604_800
const YEAR = Fraction.of(31_536_000)
/** The cap of the APY, which a drained pool reaches. */
const HIGHEST = Fraction.of(1_000_000)

let whole: WholeNetwork
let checkpoints: Checkpoint[]
let registry: Registry
let recorded: RecordedTrades
/** What the contracts answered of each pool of Aquarius, ascending. */
let answersOfPool: ReadonlyMap<string, readonly ExpectedAnswer[]>
/** What stays with the holders of each ledger's trades in a pool, by pool; null where it is not certain. */
const fees = new Map<string, { readonly closeTime: number; readonly usd: Fraction | null }[]>()
/** `pool ledger asset` to the price of its snapshot. */
const prices = new Map<string, string>()
/** A pool's value from each of its snapshots on, ascending. */
const values = new Map<string, { readonly seconds: number; readonly usd: Fraction }[]>()

beforeAll(async () => {
  registry = readRegistry()
  checkpoints = await readCheckpoints('aquarius.pool', 'soroswap.pair', 'soroswap.factory')
  whole = await WholeNetwork.open()
  const pairs = new Map(
    checkpoints.flatMap((at) => at.of('soroswap.pair')).map((it) => [it.contract, [String(it.token_0), String(it.token_1)]]),
  )
  const pools = new Set(checkpoints.flatMap((at) => at.of('aquarius.pool')).map((it) => it.contract))
  recorded = await readTrades(
    pairs,
    pools,
    registry.protocols.soroswap.deployments.map(({ factory }) => factory ?? ''),
  )
  answersOfPool = Map.groupBy(
    checkpoints.flatMap((at) => at.of('aquarius.pool')),
    ({ contract }) => contract,
  )
  const of = "WHERE protocol IN ('aquarius', 'soroswap')"
  for (const row of await storedRows(`SELECT DISTINCT pool, ledger, asset, price_usd FROM orrery.reserve_snapshots ${of}`)) {
    if (row.price_usd !== null) prices.set(`${row.pool} ${row.ledger} ${row.asset}`, row.price_usd ?? '')
  }
  const snapshots = `SELECT DISTINCT pool, toUnixTimestamp(close_time) AS seconds, tvl_usd, ledger FROM orrery.pool_snapshots ${of} ORDER BY ledger`
  for (const { pool = '', seconds, tvl_usd = '' } of await storedRows(snapshots)) {
    const steps = values.get(pool) ?? []
    steps.push({ seconds: Number(seconds), usd: Fraction.of(tvl_usd) })
    values.set(pool, steps)
  }
  for (const [place, ofLedger] of Map.groupBy(recorded.trades, ({ pool, ledger }) => `${pool} ${ledger}`)) {
    const [pool = ''] = place.split(' ')
    const usd = pairs.has(pool) ? soroswapFee(ofLedger) : aquariusFees(ofLedger)
    const ofPool = fees.get(pool) ?? []
    ofPool.push({ closeTime: ofLedger[0]?.closeTime ?? 0, usd })
    fees.set(pool, ofPool)
  }
}, 900_000)

afterAll(() => whole[Symbol.asyncDispose]())

function decimalsOf(token: string): number {
  const { decimals } = registry.assets[token] ?? {}
  if (decimals === undefined) throw new Error(`the registry has no decimals of ${token}`)
  return decimals
}

function usdOf(trade: RecordedTrade, token: string, amount: bigint): Fraction {
  const price = prices.get(`${trade.pool} ${trade.ledger} ${token}`)
  return price === undefined ? ZERO : Fraction.units(amount, decimalsOf(token)).times(Fraction.of(price)).rounded(USD_DIGITS)
}

const ceilOf = (amount: bigint, part: bigint, of: bigint): bigint => (amount * part + of - 1n) / of

/** What of a trade's fee stays with the holders of an Aquarius pool: by its kind and release (section 4.5). Null where these are not certain. */
function aquariusFee(trade: RecordedTrade): Fraction | null {
  const pool = settingsAt(trade)
  const [given] = trade.amountsIn
  if (pool === null || given === undefined || trade.fee === null) return null
  const kept = BigInt(String(pool.protocol_fee_fraction ?? 0))
  if (Number(pool.version) < 160) {
    if (pool.pool_type !== 'stable') return usdOf(trade, trade.tokenOut ?? '', trade.fee)
    return usdOf(trade, given.token, ceilOf(given.amount, BigInt(String(pool.fee_fraction)), 10_000n))
  }
  const taken = { constant_product: 0n, stable: ceilOf(trade.fee, kept, 10_000n), concentrated: (trade.fee * kept) / 10_000n }
  return usdOf(trade, given.token, trade.fee - (taken[pool.pool_type as keyof typeof taken] ?? 0n))
}

/** The answers about a pool before and after a trade, where they agree on what its fee is. */
function settingsAt({ pool, ledger }: RecordedTrade): ExpectedAnswer | null {
  const lines = answersOfPool.get(pool) ?? []
  const [before, after] = [lines.findLast((it) => it.ledger < ledger), lines.find((it) => it.ledger >= ledger)]
  const settings = (line: ExpectedAnswer): string => [line.version, line.fee_fraction, line.protocol_fee_fraction, line.pool_type].join(' ')
  if (before === undefined || after === undefined) return before ?? after ?? null
  return settings(before) === settings(after) ? after : null
}

/** 3/1000 of what goes in, rounded up; one sixth of a ledger's is the protocol's while the factory's switch is on. */
function soroswapFee(ofLedger: readonly RecordedTrade[]): Fraction {
  const [first] = ofLedger
  const all = ofLedger.flatMap((trade) => trade.amountsIn.map(({ token, amount }) => usdOf(trade, token, ceilOf(amount, 3n, 1_000n))))
  const total = sum(all)
  if (first === undefined || !isProtocolFeeOn(first.ledger)) return total
  const units = total.times(Fraction.of(10n ** 8n)).rounded(0).numerator
  return new Fraction((units * 5n) / 6n, 10n ** 8n)
}

function isProtocolFeeOn(ledger: number): boolean {
  const turned = recorded.switches.findLast((it) => it.ledger <= ledger)
  if (turned !== undefined) return turned.isOn
  // Before the first event it is what it was at the first answer, which is older.
  const [first] = checkpoints.flatMap((at) => at.of('soroswap.factory'))
  return first?.fees_enabled === true
}

/** Fees of a pool's ledgers that closed after `from` and at or before `to`; null where one is not certain. */
function feesOf(pool: string, from: number, to: number): Fraction | null {
  const ofWindow = (fees.get(pool) ?? []).filter(({ closeTime }) => closeTime > from && closeTime <= to).map(({ usd }) => usd)
  return ofWindow.includes(null) ? null : sum(ofWindow.flatMap((usd) => usd ?? []))
}

function aquariusFees(ofLedger: readonly RecordedTrade[]): Fraction | null {
  const parts = ofLedger.map(aquariusFee)
  return parts.includes(null) ? null : sum(parts.flatMap((usd) => usd ?? []))
}

/** The pool's value over time, each value from its snapshot to the next one. */
function valueSeconds(pool: string, from: number, to: number): Fraction {
  const steps = (values.get(pool) ?? []).filter(({ seconds }) => seconds <= to)
  return sum(
    steps.map(({ seconds, usd }, n) => {
      const end = Math.min(steps[n + 1]?.seconds ?? to, to)
      return usd.times(Fraction.of(Math.max(0, end - Math.max(seconds, from))))
    }),
  )
}

function expectedYield(pool: string, closeTime: number): readonly string[] | null {
  const from = closeTime - WINDOW_SECONDS
  const earned = feesOf(pool, from, closeTime)
  const mean = valueSeconds(pool, from, closeTime)
  if (earned === null) return null
  if (earned.sign <= 0 || mean.sign <= 0) return ['0', '0']
  const apr = earned.times(YEAR).over(mean).rounded(8)
  const apy = ONE.plus(apr.over(Fraction.of(365)))
    .power(365)
    .minus(ONE)
  return [usdText(apr), usdText(HIGHEST.isLessThan(apy) ? HIGHEST : apy)]
}

type Shown = Answer['data']

const COUNTS: Readonly<Record<'aquarius' | 'soroswap', Readonly<Record<string, number>>>> = {
  aquarius: { fees: 2_545, 'no fees': 286, 'not certain': 63 },
  soroswap: { fees: 844, 'no fees': 18 },
}

describe.each(['aquarius', 'soroswap'] as const)('fee yields of %s', (protocol) => {
  it(`the fee yield of a pool of ${protocol} is that of its recorded trades over the mean value of the pool in seven days`, async () => {
    const compared = new Compared()
    const kind = protocol === 'aquarius' ? 'aquarius.pool' : 'soroswap.pair'
    await each(
      checkpoints.filter((at) => at.has(kind) && isSampled(at.ledger)),
      async (at) => {
        const { data } = await whole.get(`/v1/protocols/${protocol}/reserves?as_of_ledger=${at.ledger}`)
        for (const { contract } of at.of(kind)) {
          const expected = expectedYield(contract, at.closeTime)
          const shown = data.reserves.filter((it: Shown) => it.contract === contract)
          // A trade lies between two answers that differ in the pool's fee: which of the two it paid is not recorded.
          const what = expected === null ? 'not certain' : expected[0] === '0' ? 'no fees' : 'fees'
          if (expected === null) compared.equal(what, {}, 0, 0)
          else {
            const yields = shown.map(({ metadata }: Shown) => [metadata.fee_apr, metadata.fee_apy])
            compared.equal(
              what,
              { ledger: at.ledger, contract },
              yields,
              shown.map(() => expected),
            )
          }
        }
      },
    )
    compared.print(`of fee yields of ${protocol}`)
    expectCounts(`fee yields of ${protocol}`, compared.counts, COUNTS[protocol])
  }, 900_000)
})
