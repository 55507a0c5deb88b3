import type { AssetInfo } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { decodeValue, encodeValue } from '../state/stored-value.ts'
import { valuedToken } from '../valued-token.ts'
import { type HoldingCost, holdingCostValue, matchHolding, moveHolding, sumOfDeposited, worthOfDeposited } from './holding-cost.ts'

const cost = { units: 10n, costUsd: 100n, realizedUsd: 0n, openedLedger: 1, confidence: 'exact' } as const
/** Ten units for which 1000 and 77 were deposited. */
const held: HoldingCost = { cost, deposited: [1_000n, 77n] }
const value = { paid: () => 50n, worth: (units: bigint) => units * 20n }
const after = (kind: Parameters<typeof moveHolding>[1]['kind'], units: bigint, amounts: readonly bigint[] | null = null, from = held) =>
  moveHolding(from, { kind, units, amounts }, value, 5).deposited

describe('the tokens that were deposited for units', () => {
  it('a deposit adds what it paid in, also the first one and one after everything was withdrawn', () => {
    expect(after('deposit', 4n, [400n, 3n])).toEqual([1_400n, 80n])
    expect(moveHolding(null, { kind: 'deposit', units: 4n, amounts: [400n, 3n] }, value, 5).deposited).toEqual([400n, 3n])
    const left = moveHolding(held, { kind: 'withdraw', units: 10n, amounts: null }, value, 5)
    expect(left.deposited).toEqual([])
    expect(after('deposit', 1n, [5n, 6n], left)).toEqual([5n, 6n])
  })

  it('units that go out take their part with them, half up: 4 of 10 units take 400 and 30.8 -> 31', () => {
    for (const kind of ['withdraw', 'transfer_out', 'burn'] as const) expect(after(kind, 4n)).toEqual([600n, 46n])
    expect(after('withdraw', 12n)).toEqual([])
  })

  it('fees that were minted or paid change nothing', () => {
    expect(after('fee_mint', 4n)).toEqual([1_000n, 77n])
    expect(after('fees', 0n, [9n, 9n])).toEqual([1_000n, 77n])
  })

  it('a transfer makes them unknown until everything has gone out, and a deposit of unknown amounts does as well', () => {
    const received = moveHolding(held, { kind: 'transfer_in', units: 1n, amounts: null }, value, 5)
    expect(received.deposited).toBeNull()
    expect(after('withdraw', 1n, null, received)).toBeNull()
    expect(after('deposit', 1n, [1n, 1n], received)).toBeNull()
    expect(after('withdraw', 11n, null, received)).toEqual([])
    expect(after('deposit', 1n)).toBeNull()
  })

  it('units without an event make them unknown, and fewer units take their part', () => {
    expect(matchHolding(held, 12n, value, 5).deposited).toBeNull()
    expect(matchHolding(held, 5n, value, 5).deposited).toEqual([500n, 38n]) // 38.5 go out, half up
    expect(matchHolding(held, 10n, value, 5).deposited).toEqual([1_000n, 77n])
  })
})

describe('the worth of deposited tokens', () => {
  const info = (asset: string): AssetInfo => ({ asset, symbol: asset, decimals: 2, tags: [] })
  const priced = valuedToken(info('A'), { usd: '3', source: 'oracle:X', closeTimeSeconds: 1 } as never)
  const unpriced = valuedToken(info('B'), null)

  it('is their value now, null where it is unknown or a token has no price', () => {
    expect(worthOfDeposited([200n, 0n], [priced, unpriced])).toBe(600_000_000n)
    expect(worthOfDeposited([200n, 1n], [priced, unpriced])).toBeNull()
    expect(worthOfDeposited(null, [priced])).toBeNull()
    expect(worthOfDeposited([], [priced, unpriced])).toBe(0n)
  })

  it('over several holdings is unknown where one is', () => {
    expect(sumOfDeposited([[1n, 2n], [], [10n]])).toEqual([11n, 2n])
    expect(sumOfDeposited([[1n, 2n], null])).toBeNull()
  })
})

describe('the stored cost of a holding', () => {
  it('has the tokens as one member, which is absent while they are unknown', () => {
    expect(encodeValue(holdingCostValue, held)).toBe(
      '{"units":"10","cost_usd":"0.000001","realized_usd":"0","opened_ledger":"1","confidence":"exact","deposited":["1000","77"]}',
    )
    const unknown = { cost, deposited: null }
    expect(encodeValue(holdingCostValue, unknown)).not.toContain('deposited')
    for (const one of [held, unknown]) expect(decodeValue(holdingCostValue, encodeValue(holdingCostValue, one))).toEqual(one)
  })
})
