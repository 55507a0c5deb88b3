// Snapshots of the whole recording: whose they are, when they are due, and that their amounts are what the contracts answered.

import { readScVal, readScVals, type ScVal, topicText } from '@orrery/ledger'
import { Decimal, usd } from '@orrery/pricing'
import type { PositionSnapshotRow, ReserveSnapshotRow, Rows, Slice } from '@orrery/protocol-kit'
import type { ExpectedAnswer } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { blend } from '../src/protocol.ts'
import { allShares, assetsOf, type BlendState } from '../src/state/state.ts'
import { type FoldedWorld, foldedWorld, forge } from './world.ts'

interface SuppliedJson {
  readonly shares: string
  readonly amount: string
  readonly usd_value: string | null
}
interface Native {
  readonly supply: Readonly<Record<string, SuppliedJson>>
  readonly borrow: Readonly<Record<string, SuppliedJson>>
  readonly backstop: { readonly lp_tokens: string; readonly usd_value: string | null } | null
}

let world: FoldedWorld
const report = (line: string) => process.stdout.write(`${line}\n`)
const nativeOf = (row: PositionSnapshotRow) => row.native as unknown as Native
const nameOf = ({ pool, address }: { pool: string; address: string }) => `${pool} ${address}`
/** Debts added; null: a part has no price. */
const grossOf = ({ depositedUsd, borrowedUsd }: PositionSnapshotRow) =>
  depositedUsd === null || borrowedUsd === null ? null : new Decimal(depositedUsd).plus(borrowedUsd)

beforeAll(async () => {
  world = await foldedWorld()
})

/** Folds again, with the state at each ledger's end at hand. */
function* ledgers(): Generator<{ slice: Slice; rows: Rows; state: BlendState }> {
  const adapter = blend.adapter(world.network)
  const state = adapter.load([], (world.slices[0]?.ledger ?? 1) - 1)
  for (const slice of world.slices) yield { slice, rows: adapter.fold(state, slice), state }
}

/** Positions with something in them. */
function openPositions(state: BlendState): Set<string> {
  const open = new Set<string>()
  for (const pool of state.pools.values()) {
    for (const [address, { positions, backstop }] of pool.accounts) {
      const maps = positions === null ? [] : [positions.value.supply, positions.value.collateral, positions.value.liabilities]
      const holds = maps.some((shares) => [...shares.values()].some((amount) => amount > 0n))
      if (holds || (backstop !== null && allShares(backstop.value) > 0n)) open.add(nameOf({ pool: pool.pool, address }))
    }
  }
  return open
}

/**
 * Accounts that an event took something from without an action of theirs: a draw from their backstop, debt of their asset written off. Not by a draw of
 * less than 1 USD, which the next hour shows: in the shipped recording that of ledger 1006051 alone, 0.2199235 LP tokens at 1.0389 USD of CBAMR725…
 */
function hitBy({ records }: Slice, rows: Rows, state: BlendState): Set<string> {
  const hit = new Set<string>()
  for (const { record } of records) {
    if (record.kind !== 'event' || record.contract === null) continue
    const name = topicText(record, 0)?.text
    if (name !== 'draw' && name !== 'defaulted_debt') continue
    const [, subject] = readScVals(record.topics)
    if (subject?.type !== 'address') throw new Error(`${name} names an address`)
    const pool = state.pools.get(name === 'draw' ? subject.value : record.contract)
    if (pool === undefined) continue
    if (name === 'draw' && drawnUsd(readScVal(record.data), pool.pool, rows).lt(1)) continue
    const index = name === 'draw' ? null : assetsOf(pool).indexOf(subject.value)
    for (const [address, { positions, backstop }] of pool.accounts) {
      const isHit =
        index === null
          ? backstop !== null && allShares(backstop.value) > 0n
          : (positions?.value.supply.has(index) ?? false) || (positions?.value.collateral.has(index) ?? false)
      if (isHit) hit.add(nameOf({ pool: pool.pool, address }))
    }
  }
  return hit
}

/** What a draw took: LP tokens have 7 decimals. The event has receiver and amount. */
function drawnUsd(data: ScVal, pool: string, { poolSnapshots }: Rows): InstanceType<typeof Decimal> {
  const amount = data.type === 'vec' ? data.value?.[1] : undefined
  if (amount?.type !== 'i128') throw new Error('draw has an amount')
  const backstop = poolSnapshots.find((row) => row.pool === pool)?.native.backstop as { lp_price_usd: string | null } | undefined
  return new Decimal(amount.value.toString()).times(backstop?.lp_price_usd ?? 0).div(10 ** 7)
}

const isSmall = (row: PositionSnapshotRow | undefined) => row !== undefined && (grossOf(row)?.lt(1) ?? false)

describe('snapshots of positions', () => {
  it('a position has a snapshot when it changed or lost value, every hour while it was or is worth 1 USD, and every day', () => {
    const values = new Map<string, string>()
    const newest = new Map<string, PositionSnapshotRow>()
    const wrong: string[] = []
    const counts = { changes: 0, losses: 0, closed: 0, hourly: 0, small: 0 }
    let open = new Set<string>()
    for (const { slice, rows, state } of ledgers()) {
      const before = open
      const touched = new Set<string>()
      for (const row of rows.state) {
        const kind = row.key.split(':').at(-1)
        if (row.owner === '' || (kind !== 'positions' && kind !== 'backstop') || row.key.includes(':cost:')) continue
        const key = `${row.contract} ${row.key}`
        if (values.get(key) !== row.value) touched.add(nameOf({ pool: row.contract, address: row.owner }))
        values.set(key, row.value)
      }
      if (slice.hourStart || touched.size > 0) open = openPositions(state)
      // An entry that is empty and was empty is no position.
      const changed = new Set([...touched].filter((name) => open.has(name) || before.has(name)))
      counts.changes += changed.size
      for (const name of hitBy(slice, rows, state)) {
        if (!changed.has(name)) counts.losses++
        changed.add(name)
      }
      const written = new Map(rows.positionSnapshots.map((row) => [nameOf(row), row]))
      if (written.size !== rows.positionSnapshots.length) wrong.push(`${slice.ledger} writes a position twice`)
      for (const [name, row] of written) {
        const last = newest.get(name)
        newest.set(name, row)
        if (row.heartbeat === changed.has(name) || row.open !== open.has(name)) wrong.push(`${slice.ledger} ${name}`)
        if (!row.open) {
          counts.closed++
          const values = [row.suppliedUsd, row.borrowedUsd, row.depositedUsd, row.netUsd, row.effectiveCollateralUsd, row.netApy]
          expect(values).toEqual(['0', '0', '0', '0', '0', '0'])
        }
        if (!row.heartbeat) continue
        counts.hourly++
        const isDue = slice.dayStart || (slice.hourStart && !(isSmall(last) && isSmall(row)))
        if (!isDue) wrong.push(`${slice.ledger} ${name} is not due`)
      }
      for (const name of changed) if (!written.has(name)) wrong.push(`${slice.ledger} ${name} is missing`)
      if (!slice.hourStart) continue
      for (const name of open) {
        if (written.has(name)) continue
        counts.small++
        // hourly-values.test.ts checks that it is small now as well.
        if (slice.dayStart || !isSmall(newest.get(name))) wrong.push(`${slice.ledger} ${name} is missing`)
      }
    }
    expect(wrong).toEqual([])
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(10)
    report(`position snapshots as due: ${JSON.stringify(counts)}`)
  })

  it('positions of depositors have a last snapshot of zero in the ledger in which their backstop is drained', () => {
    // The shipped recording, ledger 1001009: bad debt takes all LP tokens of the backstop of CAUPTVAK… The account acts neither then nor before 1001048.
    const address = 'GAFNKUE7YFGUL2SM3JW6CHWCTVBQ55V3TPKSJQDM4EJBPGVJOC44TT6E'
    const rows = world.rows
      .flatMap(({ positionSnapshots }) => positionSnapshots)
      .filter((row) => row.address === address && row.pool.startsWith('CAUPTVAK') && row.ledger > 1_001_000 && row.ledger <= 1_001_048)
    expect(rows.map(({ ledger, depositedUsd, heartbeat, open }) => [ledger, depositedUsd, heartbeat, open])).toEqual([
      [1_001_006, '49194.22933884', true, true],
      [1_001_009, '0', false, true],
      [1_001_048, '0', true, true],
    ])
  })

  it('a position snapshot has the amounts that the contracts answered at the same ledger', async () => {
    const answers = new Map<string, ExpectedAnswer>()
    for await (const answer of forge.expected()) {
      if (answer.kind === 'blend.user') answers.set(`${answer.ledger} ${answer.contract} ${answer.address}`, answer)
    }
    let compared = 0
    for (const row of world.rows.flatMap(({ positionSnapshots }) => positionSnapshots)) {
      const answer = answers.get(`${row.ledger} ${row.pool} ${row.address}`)
      const now = answer?.underlying_now as Record<'supply' | 'collateral' | 'liabilities', Worth | null> | null | undefined
      // Null: that view failed by the contract's own rules.
      if (!now?.supply || !now.collateral || !now.liabilities) continue
      if ([now.supply, now.collateral, now.liabilities].some((map) => Object.values(map).includes(null))) continue
      const { supply, borrow } = nativeOf(row)
      const amountsOf = (side: Native['supply']) => Object.fromEntries(Object.entries(side).map(([asset, { amount }]) => [asset, amount]))
      expect({ ledger: row.ledger, supply: amountsOf(supply), borrow: amountsOf(borrow) }).toEqual({
        ledger: row.ledger,
        supply: sumOf(now.supply, now.collateral),
        borrow: sumOf(now.liabilities),
      })
      compared++
    }
    expect(compared).toBeGreaterThan(1_000)
    report(`amounts of ${compared} position snapshots equal the contracts' answers`)
  })

  it('a position snapshot has the value of its amounts at the prices of its ledger', () => {
    let compared = 0
    const wrong: unknown[] = []
    for (const { positionSnapshots, reserveSnapshots } of world.rows) {
      const prices = new Map<string, ReserveSnapshotRow>()
      for (const row of reserveSnapshots) prices.set(`${row.pool} ${row.asset}`, row)
      for (const row of positionSnapshots) {
        const { supply, borrow, backstop } = nativeOf(row)
        const supplied = valuesOf(supply, row.pool, prices)
        const borrowed = valuesOf(borrow, row.pool, prices)
        // Where reserves did not change and no hour begins there is no row of their prices.
        if (supplied === null || borrowed === null) continue
        const deposited = backstop === null ? supplied : backstop.usd_value === null ? null : supplied.plus(backstop.usd_value)
        const ours = [row.suppliedUsd, row.borrowedUsd, row.netUsd, row.depositedUsd]
        const theirs = [supplied, borrowed, supplied.minus(borrowed), deposited].map((value) => value?.toFixed() ?? null)
        if (ours.join() !== theirs.join()) wrong.push({ ledger: row.ledger, ours, theirs })
        compared++
      }
    }
    expect(wrong).toEqual([])
    expect(compared).toBeGreaterThan(100_000)
  })

  /** Sum of the values of both parts of each asset; null when a price is not known here. */
  function valuesOf(
    side: Native['supply'],
    pool: string,
    prices: ReadonlyMap<string, ReserveSnapshotRow>,
  ): InstanceType<typeof Decimal> | null {
    let sum = new Decimal(0)
    for (const [asset, { amount, usd_value: shown }] of Object.entries(side)) {
      const price = prices.get(`${pool} ${asset}`)?.priceUsd
      const decimals = world.network.assets[asset]?.decimals
      if (price === undefined || price === null || shown === null || decimals === undefined) return null
      // Supply and collateral are rounded for themselves.
      expect(
        new Decimal(shown)
          .minus(usd(BigInt(amount), decimals, price))
          .abs()
          .lte('0.00000001'),
      ).toBe(true)
      sum = sum.plus(shown)
    }
    return sum
  }
})

describe('snapshots of pools and reserves', () => {
  it('a pool or reserve snapshot has what the contracts answered at the same ledger', async () => {
    const reserves = new Map<string, ReserveSnapshotRow>()
    for (const row of world.rows.flatMap(({ reserveSnapshots }) => reserveSnapshots))
      reserves.set(`${row.ledger} ${row.pool} ${row.asset}`, row)
    let compared = 0
    for await (const answer of forge.expected()) {
      const row = reserves.get(`${answer.ledger} ${answer.contract} ${answer.asset}`)
      if (answer.kind !== 'blend.reserve' || row === undefined || answer.accrued === null) continue
      const accrued = answer.accrued as Record<string, string>
      const { b_rate, d_rate, b_supply, d_supply, backstop_credit, cash } = row.native
      expect({ b_rate, d_rate, b_supply, d_supply, backstop_credit, cash }).toEqual({
        b_rate: accrued.b_rate,
        d_rate: accrued.d_rate,
        b_supply: accrued.b_supply,
        d_supply: accrued.d_supply,
        backstop_credit: accrued.backstop_credit,
        cash: answer.cash,
      })
      compared++
    }
    expect(compared).toBeGreaterThan(500)
    report(`${compared} reserve snapshots equal the contracts' answers`)
  })

  it('the TVL of a pool snapshot is what is supplied less what is borrowed', () => {
    let compared = 0
    for (const { poolSnapshots, reserveSnapshots } of world.rows) {
      for (const pool of poolSnapshots.filter(({ heartbeat }) => heartbeat)) {
        const reserves = reserveSnapshots.filter((row) => row.pool === pool.pool)
        const sum = (values: readonly (string | null)[]) => Decimal.sum(0, ...values.map((value) => value ?? 0))
        const tvl = sum(reserves.map((row) => row.suppliedUsd)).minus(sum(reserves.map((row) => row.borrowedUsd)))
        expect(pool.tvlUsd).toBe(tvl.toFixed())
        compared++
      }
    }
    expect(compared).toBeGreaterThan(3_000)
  })
})

type Worth = Readonly<Record<string, { readonly underlying: string } | null>>

function sumOf(...maps: readonly Worth[]): Record<string, string> {
  const sums: Record<string, string> = {}
  for (const [asset, worth] of maps.flatMap((map) => Object.entries(map))) {
    if (worth !== null) sums[asset] = (BigInt(sums[asset] ?? 0) + BigInt(worth.underlying)).toString()
  }
  return sums
}
