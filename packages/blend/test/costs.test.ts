// Costs of all balances of the recording, against the state, the feed and what the contracts said that balances stand for.

import { StateValue, usdText, usdUnits } from '@orrery/fold-kit'
import type { ActivityRow } from '@orrery/protocol-kit'
import type { ExpectedAnswer } from '@orrery/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { NO_BACKSTOP_SHARES, NO_POSITIONS } from '../src/chain.ts'
import { type BalanceCost, type CostKey, readCost } from '../src/cost.ts'
import { balancesOf } from '../src/cost-balance.ts'
import { blend } from '../src/protocol.ts'
import type { BlendState } from '../src/state.ts'
import { shareChange } from './share-change.ts'
import { type FoldedWorld, foldedWorld, forge } from './world.ts'

type Worth = Readonly<Record<string, { readonly underlying: string } | null>>

let world: FoldedWorld
let end: BlendState
const report = (line: string) => process.stdout.write(`${line}\n`)

beforeAll(async () => {
  world = await foldedWorld()
  const last = world.slices.at(-1)?.ledger ?? 0
  end = blend.adapter(world.network).load(world.table.asOf(last), last)
})

/** The balance that a row of the feed changes, or null. */
function balanceOf(row: ActivityRow): string | null {
  const change = shareChange(row)
  if (change === 0n || row.shareType === 'lp_share') return null
  const key: CostKey =
    row.shareType === 'backstop_share' ? 'backstop' : row.shareType === 'd_token' ? `borrow:${row.assetId}` : `supply:${row.assetId}`
  return `${row.contract} ${row.address} ${key}`
}

describe('the cost of a balance', () => {
  it('stands for the shares that the account has', () => {
    let compared = 0
    for (const pool of end.pools.values()) {
      for (const [address, { costs, positions, backstop }] of pool.accounts) {
        const balances = balancesOf(pool, positions?.value ?? NO_POSITIONS, backstop?.value ?? NO_BACKSTOP_SHARES)
        for (const key of new Set([...balances.keys(), ...(costs?.keys() ?? [])])) {
          expect([pool.pool, address, key, costs?.get(key)?.cost.units]).toEqual([pool.pool, address, key, balances.get(key) ?? 0n])
          compared++
        }
      }
    }
    expect(compared).toBeGreaterThan(200)
    const invariants = world.rows.flatMap(({ notices }) => notices.filter(({ kind }) => kind === 'invariant'))
    expect(invariants).toEqual([])
  })

  it('counts interest as what balances stand for beyond deposits less withdrawals, at every checkpoint, by the feed alone', async () => {
    const byLedger = new Map<number, ExpectedAnswer[]>()
    for await (const answer of forge.expected()) {
      if (answer.kind === 'blend.user') byLedger.set(answer.ledger, [...(byLedger.get(answer.ledger) ?? []), answer])
    }
    const paid = new Map<string, bigint>()
    const costs = new Map<string, BalanceCost>()
    const counts = { balances: 0, withInterest: 0 }
    for (const [n, { ledger }] of world.slices.entries()) {
      const rows = world.rows[n]
      for (const row of rows?.activities ?? []) {
        const name = balanceOf(row)
        if (name !== null) paid.set(name, (paid.get(name) ?? 0n) + (shareChange(row) > 0n ? row.amount : -row.amount))
      }
      for (const row of rows?.state ?? []) {
        const key = row.key.split(':cost:')[1]
        if (key !== undefined) costs.set(`${row.contract} ${row.owner} ${key}`, readCost(new StateValue(row)))
      }
      for (const answer of byLedger.get(ledger) ?? []) {
        if (!end.pools.has(answer.contract) || answer.underlying_now === null) continue
        const now = answer.underlying_now as Record<'supply' | 'collateral' | 'liabilities', Worth | null>
        // Null: that view failed by the contract's own rules.
        if (now.supply === null || now.collateral === null || now.liabilities === null) continue
        const { supply, collateral, liabilities } = now
        for (const asset of new Set([supply, collateral, liabilities].flatMap((map) => Object.keys(map)))) {
          const worth = (map: Worth) => BigInt(map[asset]?.underlying ?? 0)
          const sides = [
            { key: `supply:${asset}`, underlying: worth(supply) + worth(collateral) },
            { key: `borrow:${asset}`, underlying: worth(liabilities) },
          ]
          for (const { key, underlying } of sides) {
            const name = `${answer.contract} ${answer.address} ${key}`
            const cost = costs.get(name)
            if (cost === undefined) continue
            const interest = underlying - (paid.get(name) ?? 0n)
            expect([ledger, name, underlying - cost.netPaid]).toEqual([ledger, name, interest])
            counts.balances++
            if (interest > 0n) counts.withInterest++
          }
        }
      }
    }
    expect(counts.withInterest).toBeGreaterThan(5_000)
    report(`interest of ${counts.balances} balances at all checkpoints equals the feed's, ${counts.withInterest} with some`)
  })

  it('is the value of the deposits where nothing else happened', () => {
    const deposited = new Map<string, bigint>()
    const others = new Set<string>()
    for (const { activities } of world.rows) {
      for (const row of activities) {
        const name = balanceOf(row)
        if (name === null) continue
        if (['deposit', 'borrow', 'stake'].includes(row.activityType) && row.usdValue !== null) {
          deposited.set(name, (deposited.get(name) ?? 0n) + usdUnits(row.usdValue))
        } else others.add(name)
      }
    }
    let compared = 0
    for (const pool of end.pools.values()) {
      for (const [address, { costs }] of pool.accounts) {
        for (const [key, { cost }] of costs ?? []) {
          const name = `${pool.pool} ${address} ${key}`
          const value = deposited.get(name)
          if (value === undefined || others.has(name)) continue
          expect([name, usdText(cost.costUsd ?? -1n), cost.realizedUsd, cost.confidence]).toEqual([name, usdText(value), 0n, 'exact'])
          compared++
        }
      }
    }
    expect(compared).toBeGreaterThan(100)
  })
})
