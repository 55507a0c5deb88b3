// Costs of all balances of the recording, against the state and the feed. interest.test.ts holds their interest against the contracts' answers.

import { usdText, usdUnits } from '@orrery/fold-kit'
import type { ActivityRow } from '@orrery/protocol-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { NO_BACKSTOP_SHARES, NO_POSITIONS } from '../src/chain/values.ts'
import { balancesOf } from '../src/fold/cost-balance.ts'
import type { CostKey } from '../src/math/cost.ts'
import { blend } from '../src/protocol.ts'
import type { BlendState } from '../src/state/state.ts'
import { shareChange } from './share-change.ts'
import { type FoldedWorld, foldedWorld } from './world.ts'

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
  it("the cost of a balance has the units of the account's shares", () => {
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

  it('the cost of a balance has paid in what the feed paid in less what it took out, at every change', () => {
    const paid = new Map<string, bigint>()
    let compared = 0
    for (const [n, { ledger }] of world.slices.entries()) {
      const rows = world.rows[n]
      for (const row of rows?.activities ?? []) {
        const name = balanceOf(row)
        if (name !== null) paid.set(name, (paid.get(name) ?? 0n) + (shareChange(row) > 0n ? row.amount : -row.amount))
      }
      for (const row of rows?.state ?? []) {
        const key = row.key.split(':cost:')[1]
        if (key === undefined) continue
        const name = `${row.contract} ${row.owner} ${key}`
        const { net_paid: netPaid } = JSON.parse(row.value) as { net_paid: string }
        expect([ledger, name, BigInt(netPaid)]).toEqual([ledger, name, paid.get(name) ?? 0n])
        compared++
      }
    }
    expect(compared).toBeGreaterThan(1_000)
    report(`${compared} costs have paid in what the feed has`)
  })

  it('the cost of a balance with deposits only is their value', () => {
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
