// Rows of health factors that entered another step, over the whole recording: against the health factor of every position in every ledger that is
// looked at, and against health factors made of the contracts' own answers.

import { pricesOf } from '@orrery/pricing'
import type { Slice, StateRow } from '@orrery/protocol-kit'
import type { ExpectedAnswer } from '@orrery/testkit'
import { expectCounts, groundTruthRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, expect, it } from 'vitest'
import { blend } from '../src/protocol.ts'
import { lendingPosition } from '../src/view/position.ts'
import { valuePool } from '../src/view/valuation.ts'
import { type FoldedWorld, foldedWorld } from './world.ts'

const recorded = groundTruthRecording()
let world: FoldedWorld
/** Rows of steps of each ledger. */
let steps: ReadonlyMap<number, readonly StateRow[]>
/** Ledgers that are looked at for all pools. */
let whole: ReadonlySet<number>

beforeAll(async () => {
  world = await foldedWorld(undefined, recorded)
  steps = new Map(
    world.slices.map(({ ledger }, n) => [ledger, (world.rows[n]?.state ?? []).filter(({ key }) => key.endsWith(':health_step'))]),
  )
  const sources = new Set(
    pricesOf(world.network)
      .roots('blend')
      .map(({ contract }) => contract),
  )
  const writesPrices = ({ records }: Slice) => records.some(({ record }) => record.kind === 'entry' && sources.has(record.contract))
  whole = new Set(world.slices.filter((slice) => slice.hourStart || writesPrices(slice)).map(({ ledger }) => ledger))
})

const report = (line: string) => process.stdout.write(`${line}\n`)
/** Hundredths, from the digits of a health factor. */
const stepOf = (health: string): number => {
  const hundredths = Number(
    /^(\d+)(?:\.(\d{2}))?/
      .exec(`${health.includes('.') ? `${health}00` : `${health}.00`}`)
      ?.slice(1)
      .join('') ?? '',
  )
  return hundredths < 50 ? 0 : Math.min(300, hundredths)
}

it('a position has a row in each ledger in which its health factor enters another step, is first known, or its debt ends, and in no other', () => {
  const valuer = { network: world.network, pricing: pricesOf(world.network) }
  const adapter = blend.adapter(world.network)
  const state = adapter.load([], (world.slices[0]?.ledger ?? 1) - 1)
  const known = new Map<string, number>()
  const counts = { rows: 0, removed: 0, priceLedgers: 0, withoutAction: 0 }
  const values = new Map<string, string>()
  const wrong: string[] = []
  for (const slice of world.slices) {
    const rows = adapter.fold(state, slice)
    const changedPools = new Set<string>()
    for (const row of rows.state) {
      const isOfPool = row.owner === '' ? !/^(queued:|loss$)/.test(row.key) : /^@\w+:(positions|backstop)$/.test(row.key)
      // A row with the same value has a longer TTL.
      if (isOfPool && values.get(`${row.contract} ${row.key}`) !== row.value && !row.inferred) changedPools.add(row.contract)
      values.set(`${row.contract} ${row.key}`, row.value)
    }
    const isWhole = whole.has(slice.ledger)
    if (isWhole) counts.priceLedgers++
    const expected: string[] = []
    for (const pool of state.pools.values()) {
      if (!pool.owned || !(isWhole || changedPools.has(pool.pool))) continue
      const valued = valuePool(state, pool, slice, valuer)
      if (valued === null) continue
      for (const [address, { positions }] of pool.accounts) {
        const name = `${pool.pool} @${address}:health_step`
        const isOwed = [...(positions?.value.liabilities.values() ?? [])].some((amount) => amount > 0n)
        const before = known.get(name)
        if (!isOwed && before !== undefined) {
          expected.push(`${name} removed`)
          known.delete(name)
        }
        const health = isOwed ? (lendingPosition(valued, address)?.healthFactor ?? null) : null
        if (health === null || stepOf(health) === before) continue
        known.set(name, stepOf(health))
        expected.push(`${name} ${health} ${stepOf(health)}`)
      }
    }
    const seen = (steps.get(slice.ledger) ?? []).map((row) => {
      if (row.removed) return `${row.contract} ${row.key} removed`
      const { health_factor, step } = JSON.parse(row.value)
      return `${row.contract} ${row.key} ${health_factor} ${step}`
    })
    const changed = new Set(
      rows.positionSnapshots.filter(({ heartbeat }) => !heartbeat).map(({ pool, address }) => `${pool} @${address}:health_step`),
    )
    counts.rows += seen.length
    counts.removed += seen.filter((text) => text.endsWith(' removed')).length
    counts.withoutAction += seen.filter((text) => !changed.has(text.split(' ').slice(0, 2).join(' '))).length
    if (seen.join('\n') !== expected.sort().join('\n'))
      wrong.push(`${slice.ledger}: ${seen.join(' | ')} instead of ${expected.join(' | ')}`)
  }
  expect(wrong).toEqual([])
  expectCounts('steps of health factors', counts, { rows: 12_223, removed: 32, priceLedgers: 5_327, withoutAction: 12_077 })
})

it("the newest step of a position is that of the health factor that the contracts' own answers give", async () => {
  const pools = new Map<string, ExpectedAnswer>()
  const reserves = new Map<string, ExpectedAnswer>()
  const prices = new Map<string, ExpectedAnswer>()
  const users: ExpectedAnswer[] = []
  for await (const answer of recorded.expected()) {
    const at = `${answer.ledger} ${answer.contract}`
    if (answer.kind === 'blend.pool' && answer.from_factory !== false) pools.set(at, answer)
    if (answer.kind === 'blend.reserve') reserves.set(`${at} ${answer.asset}`, answer)
    if (answer.kind === 'oracle.lastprice') prices.set(`${at} ${(answer.asset as { stellar?: string }).stellar}`, answer)
    if (answer.kind === 'blend.user') users.push(answer)
  }
  const newest = new Map<string, { readonly ledger: number; readonly step: number }[]>()
  for (const [ledger, rows] of steps) {
    for (const row of rows) {
      const name = `${row.contract} ${row.owner}`
      newest.set(name, [...(newest.get(name) ?? []), { ledger, step: row.removed ? -1 : Number(JSON.parse(row.value).step) }])
    }
  }
  const counts = { equal: 0, betweenPrices: 0 }
  for (const { ledger, contract, address, positions, close_time } of users) {
    const pool = pools.get(`${ledger} ${contract}`)
    if (pool === undefined) continue
    const { oracle } = pool.config as { oracle: string }
    const list = pool.reserve_list as string[]
    const scale = pool.version === 1 ? 10n ** 9n : 10n ** 12n
    const priceOf = (asset: string): bigint | null => {
      const last = prices.get(`${ledger} ${oracle} ${asset}`)?.lastprice as { price: string; timestamp: string } | null | undefined
      return last && close_time - Number(last.timestamp) <= 86_400 ? BigInt(last.price) : null
    }
    const sum = (
      shares: Readonly<Record<string, string>>,
      worth: (shares: bigint, reserve: Reserve, price: bigint) => bigint,
    ): bigint | null => {
      let total: bigint | null = 0n
      for (const [index, amount] of Object.entries(shares)) {
        const asset = list[Number(index)] ?? ''
        const reserve = reserves.get(`${ledger} ${contract} ${asset}`) as Reserve | undefined
        const price = priceOf(asset)
        total = total === null || reserve === undefined || price === null ? null : total + worth(BigInt(amount), reserve, price)
      }
      return total
    }
    const { collateral, liabilities } = positions as Record<'collateral' | 'liabilities', Record<string, string>>
    if (Object.keys(liabilities).length === 0) continue
    // pool/src/pool/health_factor.rs: collateral is rounded down at each step, debt up.
    const held = sum(collateral, (shares, { accrued, config }, price) => {
      const amount = (shares * BigInt(accrued.b_rate)) / scale
      return (price * ((amount * BigInt(config.c_factor)) / SCALAR_7)) / 10n ** BigInt(config.decimals)
    })
    const owed = sum(liabilities, (shares, { accrued, config }, price) => {
      const amount = up(shares * BigInt(accrued.d_rate), scale)
      return up(price * up(amount * SCALAR_7, BigInt(config.l_factor)), 10n ** BigInt(config.decimals))
    })
    if (held === null || owed === null) continue
    const hundredths = Number((held * 100n) / owed)
    const step = hundredths < 50 ? 0 : Math.min(300, hundredths)
    const seen = newest.get(`${contract} ${address}`)?.findLast((row) => row.ledger <= ledger)
    if (seen?.step === step) counts.equal++
    // Interest alone has moved it since the last ledger that is looked at, by less than a step.
    else if (!whole.has(ledger) && Math.abs((seen?.step ?? -9) - step) <= 1) counts.betweenPrices++
    else expect({ ledger, contract, address, step: seen?.step }).toEqual({ ledger, contract, address, step })
  }
  report(`steps of health factors: ${counts.equal} equal those of the contracts`)
  expectCounts('steps by answers of the contracts', counts, { equal: 3_048, betweenPrices: 0 })
})

const SCALAR_7 = 10n ** 7n
const up = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator

interface Reserve extends ExpectedAnswer {
  readonly accrued: Readonly<Record<'b_rate' | 'd_rate', string>>
  readonly config: Readonly<Record<'c_factor' | 'l_factor' | 'decimals', string>>
}
