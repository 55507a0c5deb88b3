// Costs of holdings whose units are worth 2 USD each, worked out by hand. USD in units of 1e-8.

import type { Slice } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { Journal } from '../state/journal.ts'
import type { HoldingCost } from './holding-cost.ts'
import { type Holding, type HoldingMovement, writeCosts } from './holding-costs.ts'

const USD = 100_000_000n
const slice = { protocol: 'soroswap', partition: 0, ledger: 9, closeTimeSeconds: 100 } as Slice

function written(of: Partial<Holding>, movements: readonly Omit<HoldingMovement, 'holding'>[]) {
  const costs: HoldingCost[] = []
  const holding: Holding = {
    pool: 'POOL',
    name: 'POOL alice',
    unitsBefore: 0n,
    units: 0n,
    cost: null,
    worth: (units) => units * 2n * USD,
    write: (cost) => costs.push(cost),
    ...of,
  }
  const journal = new Journal(slice)
  const moved = movements.map((movement) => ({ ...movement, holding }))
  writeCosts(moved, [holding], { slice, journal })
  return { costs, notices: journal.notices().map(({ contract, reason }) => `${contract}: ${reason}`) }
}

describe('the costs of holdings', () => {
  it('two deposits of a ledger cost what was paid for both, and are written once', () => {
    const deposits = [
      { kind: 'deposit', units: 10n, amounts: [100n, 30n], paid: () => 21n * USD },
      { kind: 'deposit', units: 5n, amounts: [40n, 15n], paid: () => 9n * USD },
    ] as const
    const cost = { units: 15n, costUsd: 30n * USD, realizedUsd: 0n, openedLedger: 9, confidence: 'exact' }
    expect(written({ units: 15n }, deposits)).toEqual({ costs: [{ cost, deposited: [140n, 45n] }], notices: [] })
  })

  it('units that predate the index cost their value at their first movement, and what was deposited for them stays unknown', () => {
    // 10 at 2 USD; 4 of them leave for 12 USD: cost 20 − 8, realized 12 − 8.
    const withdraw = { kind: 'withdraw', units: 4n, amounts: [8n, 8n], paid: () => 12n * USD } as const
    const cost = { units: 6n, costUsd: 12n * USD, realizedUsd: 4n * USD, openedLedger: 9, confidence: 'inferred' }
    expect(written({ unitsBefore: 10n, units: 6n }, [withdraw])).toEqual({ costs: [{ cost, deposited: null }], notices: [] })
  })

  it('the entry is right where the movements do not add up to it, and a notice counts it', () => {
    const deposit = { kind: 'deposit', units: 10n, amounts: [1n, 1n], paid: () => 20n * USD } as const
    const cost = { units: 12n, costUsd: 24n * USD, realizedUsd: 0n, openedLedger: 9, confidence: 'inferred' }
    const notices = ['POOL: share events do not add up to the balance']
    expect(written({ units: 12n }, [deposit])).toEqual({ costs: [{ cost, deposited: null }], notices })
  })

  it('a holding of a pool without a value keeps its cost', () => {
    const cost = { cost: { units: 10n, costUsd: USD, realizedUsd: 0n, openedLedger: 3, confidence: 'exact' }, deposited: [1n] } as const
    expect(written({ units: 7n, cost, worth: null }, [])).toEqual({ costs: [cost], notices: [] })
    expect(written({ units: 7n, worth: null }, [])).toEqual({ costs: [], notices: [] })
  })
})
