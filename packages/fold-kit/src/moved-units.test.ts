import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cost } from './cost.ts'
import { type MovementKind, matchUnits, moveUnits } from './moved-units.ts'

/** Ten units that cost 100 and are worth 20 each now. */
const held: Cost = { units: 10n, costUsd: 100n, realizedUsd: 0n, openedLedger: 1, confidence: 'exact' }
const value = (paid: bigint | null) => ({ paid: () => paid, worth: (units: bigint) => units * 20n })
const after = (kind: MovementKind, paid: bigint | null = null) => {
  const { units, costUsd, realizedUsd, confidence } = moveUnits(held, kind, 4n, value(paid), 5)
  return [units, costUsd, realizedUsd, confidence]
}

describe('shares that move', () => {
  it('shares that move cost what was paid for them, their value at a transfer, and nothing when they are a fee', () => {
    expect(after('deposit', 90n)).toEqual([14n, 190n, 0n, 'exact'])
    expect(after('deposit')).toEqual([14n, null, 0n, 'exact'])
    expect(after('transfer_in')).toEqual([14n, 180n, 0n, 'inferred'])
    expect(after('fee_mint')).toEqual([14n, 100n, 0n, 'exact'])
  })

  it('shares that move take four tenths of the cost with them, against what came out, what they are worth, or nothing when they are burnt', () => {
    expect(after('withdraw', 70n)).toEqual([6n, 60n, 30n, 'exact'])
    expect(after('transfer_out')).toEqual([6n, 60n, 40n, 'exact'])
    expect(after('burn')).toEqual([6n, 60n, -40n, 'exact'])
    expect(after('fees', 7n)).toEqual([10n, 100n, 7n, 'exact'])
  })

  it('shares that move are in the end as many as the entry has, whatever the events reported', () => {
    expect(matchUnits(held, 12n, value(null), 5)).toMatchObject({ units: 12n, costUsd: 140n, confidence: 'inferred' })
    expect(matchUnits(held, 5n, value(null), 5)).toMatchObject({ units: 5n, costUsd: 50n, realizedUsd: 50n })
    const units = fc.bigInt(0n, 10n ** 20n)
    const cost = fc.option(units.map((it): Cost => ({ ...held, units: it })))
    fc.assert(
      fc.property(cost, units, (known, now) => {
        expect(matchUnits(known, now, value(null), 5).units).toBe(now)
      }),
    )
  })
})
