// Rows of a state with many positions, made of the demo network.

import type { Adapter, Slice, StateRow } from '@orrery/protocol-kit'
import { foldAll, StateTable } from '@orrery/testkit'

export const POOLS = 30
export const POSITIONS = 100_000

/**
 * State rows of the demo network's largest pool at the end of `slices`, copied to 30 pools, with 100,000 accounts like its largest one.
 * @param debtOf What the debt of the nth account is multiplied with. Default: all accounts are equal.
 */
export function* manyPositions(slices: readonly Slice[], adapter: Adapter<unknown>, debtOf?: (nth: number) => number): Generator<StateRow> {
  const table = new StateTable()
  for (const { rows } of foldAll(slices, adapter)) table.write(rows.state)
  const rows = [...table.asOf(slices.at(-1)?.ledger ?? 0)]
  const pools = Map.groupBy(
    rows.filter((row) => row.key === 'pool' || row.key.endsWith(':positions')),
    (row) => row.contract,
  )
  const [pool = ''] = [...pools].sort((a, b) => b[1].length - a[1].length)[0] ?? []
  const template = rows.filter((row) => row.contract === pool)
  const owner = template.findLast((row) => row.key.endsWith(':positions') && row.value.includes('"liabilities":{"'))?.owner ?? ''
  yield* rows.filter((row) => row.contract !== pool)
  for (let n = 0; n < POOLS; n++) {
    const contract = `${pool.slice(0, 48)}${n.toString(32).padStart(8, '0')}`
    for (const row of template) if (row.owner === '') yield { ...row, contract }
    for (let account = 0; account < POSITIONS / POOLS; account++) {
      const address = `${owner.slice(0, 44)}${(n * POSITIONS + account).toString(32).padStart(12, '0')}`
      const nth = n * (POSITIONS / POOLS) + account
      for (const row of template) {
        if (row.owner !== owner) continue
        const value = debtOf !== undefined && row.key.endsWith(':positions') ? withDebt(row.value, debtOf(nth)) : row.value
        yield { ...row, contract, owner: address, key: row.key.replace(owner, address), value }
      }
    }
  }
}

function withDebt(positions: string, factor: number): string {
  const value = JSON.parse(positions) as { readonly liabilities: Readonly<Record<string, string>> }
  const millionths = BigInt(Math.round(factor * 1_000_000))
  const liabilities = Object.entries(value.liabilities).map(([index, amount]) => [
    index,
    ((BigInt(amount) * millionths) / 1_000_000n).toString(),
  ])
  return JSON.stringify({ ...value, liabilities: Object.fromEntries(liabilities) })
}
