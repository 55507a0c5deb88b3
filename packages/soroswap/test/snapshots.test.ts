// When positions and pools are written: the whole recording, recomputed from state rows with separate arithmetic.
// Only prices come from the fold's rows: other tests check them.

import { Decimal } from '@orrery/pricing'
import type { Network, Rows, Slice, StateRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { foldedRecording, recording } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { soroswap } from '../src/protocol.ts'

const forge = recording()
let network: Network
const ledgers: { slice: Slice; rows: Rows }[] = []

beforeAll(async () => {
  network = await loadNetwork(forge.registryFile)
  const { slices, rows } = await foldedRecording(forge, network, soroswap)
  for (const [n, slice] of slices.entries()) ledgers.push({ slice, rows: rows[n] as Rows })
})

/** The newest value of every key, by contract. */
class StateMirror {
  readonly #contracts = new Map<string, Map<string, Record<string, string>>>()

  /** The value before, null when the key is new. */
  set(contract: string, key: string, value: string): Record<string, string> | null {
    const keys = this.#contracts.get(contract) ?? new Map<string, Record<string, string>>()
    this.#contracts.set(contract, keys)
    const before = keys.get(key) ?? null
    keys.set(key, JSON.parse(value) as Record<string, string>)
    return before
  }

  get(contract: string, key: string): Record<string, string> | undefined {
    return this.#contracts.get(contract)?.get(key)
  }

  /** Everything of the contracts that have a pair's instance. */
  pairs(): [string, Map<string, Record<string, string>>][] {
    return [...this.#contracts].filter(([, keys]) => keys.has('pair'))
  }
}

type Amount = InstanceType<typeof Decimal>

const root = (n: Amount) => n.sqrt().integerValue(Decimal.ROUND_FLOOR)

/** What a pair pays for shares: balance · shares / (supply + fee shares not minted yet), both amounts floored, nothing when one is zero. */
function payer(mirror: StateMirror, pool: string): (shares: Amount) => [Amount, Amount] {
  const pair = mirror.get(pool, 'pair') ?? {}
  const of = (member: string) => new Decimal(pair[member] ?? '0')
  const balance = (token: string, reserve: string) =>
    new Decimal(mirror.get(pool, `balance:${pair[token]}`)?.amount ?? pair[reserve] ?? '0')
  const [rootNow, rootLast] = [root(of('reserve_0').times(of('reserve_1'))), root(of('k_last'))]
  const charges = String(mirror.get(pair.factory ?? '', 'factory')?.fees_enabled) === 'true' && of('k_last').gt(0)
  const feeShares =
    charges && rootNow.gt(rootLast)
      ? of('total_supply').times(rootNow.minus(rootLast)).idiv(rootNow.times(5).plus(rootLast))
      : new Decimal(0)
  const supply = of('total_supply').plus(feeShares)
  const balances = [balance('token_0', 'reserve_0'), balance('token_1', 'reserve_1')] as const
  return (shares) => {
    const amounts = balances.map((it) => it.times(shares).idiv(supply)) as [Amount, Amount]
    return amounts.some((amount) => amount.isZero()) ? [new Decimal(0), new Decimal(0)] : amounts
  }
}

describe('snapshots of the recording', () => {
  it('snapshots of the recording are those of positions that changed, and of open ones every hour, or every day while they were and are below 1 USD', () => {
    const mirror = new StateMirror()
    const expected: string[] = []
    const found: string[] = []
    const counts = { changes: 0, hourly: 0, daily: 0, closed: 0 }
    /** Positions whose newest snapshot is below 1 USD. */
    const small = new Set<string>()
    let before: number | null = null
    for (const { slice, rows } of ledgers) {
      const changed = new Set<string>()
      for (const row of rows.state) {
        // Which positions are small is no part of what they are worth.
        if (row.key.endsWith(':small')) continue
        const past = mirror.set(row.contract, row.key, row.value)
        if (row.inferred || row.owner === '' || !row.key.endsWith(':shares') || row.owner === row.contract) continue
        if (past?.amount !== JSON.parse(row.value).amount) changed.add(`${row.owner} ${row.contract}`)
      }
      const begins = (seconds: number) => before === null || Math.floor(before / seconds) !== Math.floor(slice.closeTimeSeconds / seconds)
      const due = new Set<string>()
      if (begins(3_600)) {
        const prices = new Map(rows.reserveSnapshots.map((row) => [`${row.pool} ${row.asset}`, row.priceUsd]))
        for (const [pool, keys] of mirror.pairs()) {
          const pays = payer(mirror, pool)
          const tokens = [keys.get('pair')?.token_0 ?? '', keys.get('pair')?.token_1 ?? '']
          for (const [key, value] of keys) {
            const holder = /^@(.*):shares$/.exec(key)?.[1]
            if (holder === undefined || holder === pool || value.amount === '0') continue
            const values = pays(new Decimal(value.amount ?? '0')).map((amount, n) => {
              const price = prices.get(`${pool} ${tokens[n]}`) ?? null
              const decimals = network.assets[tokens[n] ?? '']?.decimals ?? null
              if (amount.isZero()) return new Decimal(0)
              return price === null || decimals === null ? null : amount.times(price).shiftedBy(-decimals).decimalPlaces(8)
            })
            const isSmall = values.every((it) => it !== null) && Decimal.sum(...values.map((it) => it ?? 0)).lt(1)
            const wasSmall = small.has(`${holder} ${pool}`)
            if (isSmall && wasSmall && !begins(86_400)) continue
            due.add(`${holder} ${pool}`)
            counts[isSmall && wasSmall ? 'daily' : 'hourly']++
          }
        }
      }
      counts.changes += changed.size
      for (const name of [...new Set([...changed, ...due])].sort()) expected.push(`${slice.ledger} ${name} ${!changed.has(name)}`)
      const series = rows.positionSnapshots.map((row) => `${slice.ledger} ${row.address} ${row.pool} ${row.heartbeat}`)
      found.push(...series.sort())
      for (const row of rows.positionSnapshots) {
        const amount = mirror.get(row.pool, `@${row.address}:shares`)?.amount
        expect([row.shares.toString(), row.open]).toEqual([amount, amount !== '0'])
        if (row.netUsd !== null && new Decimal(row.netUsd).lt(1)) small.add(`${row.address} ${row.pool}`)
        else small.delete(`${row.address} ${row.pool}`)
        if (row.open) continue
        counts.closed++
        expect([row.suppliedUsd, row.depositedUsd, row.netUsd, row.heartbeat]).toEqual(['0', '0', '0', false])
      }
      before = slice.closeTimeSeconds
    }
    const [wanted, given] = [new Set(expected), new Set(found)]
    expect({ missing: expected.filter((it) => !given.has(it)), extra: found.filter((it) => !wanted.has(it)) }).toEqual({
      missing: [],
      extra: [],
    })
    expect(found).toHaveLength(expected.length)
    // The recording must have all of them, or the comparison above proves little.
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(20)
    process.stdout.write(`position snapshots: ${found.length} as expected ${JSON.stringify(counts)}\n`)
  })

  it('snapshots of the recording are those of pairs that changed, and every hour of those that hold something', () => {
    const mirror = new StateMirror()
    const written = new Map<string, StateRow>()
    let before: number | null = null
    for (const { slice, rows } of ledgers) {
      const changed = new Set<string>()
      for (const row of rows.state) {
        // Which positions are small is no part of what they are worth.
        if (row.key.endsWith(':small')) continue
        mirror.set(row.contract, row.key, row.value)
        const past = written.get(`${row.contract} ${row.key}`)
        written.set(`${row.contract} ${row.key}`, row)
        const isChain = row.key === 'pair' || row.key.startsWith('balance:') || row.key.endsWith(':shares')
        // A longer TTL is no change. A row without any difference is one: a donation that was skimmed in the same ledger.
        if (isChain && (past?.value !== row.value || past.liveUntil === row.liveUntil)) changed.add(row.contract)
      }
      const isHour = before === null || Math.floor(before / 3_600) !== Math.floor(slice.closeTimeSeconds / 3_600)
      const holding = mirror
        .pairs()
        .filter(([, keys]) =>
          [...keys].some(([key, it]) => (it.total_supply !== '0' && key === 'pair') || (key.startsWith('balance:') && it.amount !== '0')),
        )
      const due = new Set([...changed, ...(isHour ? holding.map(([pool]) => pool) : [])])
      const expected = [...due].sort().map((pool) => [pool, !changed.has(pool)])
      expect({ ledger: slice.ledger, pools: rows.poolSnapshots.map((row) => [row.pool, row.heartbeat]) }).toEqual({
        ledger: slice.ledger,
        pools: expected,
      })
      expect(rows.reserveSnapshots.map((row) => [row.pool, row.heartbeat])).toEqual(expected.flatMap((it) => [it, it]))
      before = slice.closeTimeSeconds
    }
  })
})
