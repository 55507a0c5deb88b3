// Every answer that the FxDAO contracts of the recording gave, against the state that a reader loads as of that ledger,
// and every recorded action, against the activities of the fold.

import type { ActivityRow, Network } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { type ExpectedAnswer, foldedRecording, type StateTable } from '@orrery/testkit'
import { expectCounts, groundTruthRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import { fxdao } from '../src/protocol.ts'
import type { FxdaoState } from '../src/state/state.ts'
import { fxdaoView } from '../src/view/view.ts'
import { COMPARISONS } from './answers.ts'

const forge = groundTruthRecording()
let network: Network
const report = (line: string) => process.stdout.write(`${line}\n`)
let table: StateTable
const answers: ExpectedAnswer[] = []
const activities: ActivityRow[] = []
const states = new Map<number, FxdaoState>()

beforeAll(async () => {
  network = await loadNetwork(forge.registryFile)
  const folded = await foldedRecording(forge, network, fxdao)
  table = folded.table
  for (const rows of folded.rows) activities.push(...rows.activities)
  for await (const answer of forge.expected()) if (answer.kind.startsWith('fxdao.')) answers.push(answer)
})

function stateAt(ledger: number): FxdaoState {
  const known = states.get(ledger)
  if (known !== undefined) return known
  const state = fxdaoView(network).load(table.asOf(ledger), ledger)
  states.clear()
  states.set(ledger, state)
  return state
}

const of = (kind: string) => answers.filter((answer) => answer.kind === kind)

/** As many answers as there are; of the order of vaults those where the contract's own list is whole. */
const COUNTS: Readonly<Record<string, number>> = {
  core: 179,
  currency: 663,
  order: 661,
  liquidatable: 661,
  vault: 20_532,
  closeDryRun: 4_854,
  lockingDeposit: 3_456,
  withdrawDryRun: 464,
  lockingPool: 241,
}

describe('the recorded contracts', () => {
  it.each(COMPARISONS.map(([kind, compare]) => [kind, compare.name, compare] as const))(
    'the recorded contracts answer %s with the values of the state rows: %s',
    (kind, name, compare) => {
      let compared = 0
      for (const answer of of(kind)) {
        const { ledger, contract, address } = answer
        const at = { ledger, closeTimeSeconds: answer.close_time }
        const comparison = compare({ answer, state: stateAt(ledger), network, at })
        if (comparison === null) continue
        expect({ ledger, contract, address, value: comparison.ours }).toEqual({ ledger, contract, address, value: comparison.theirs })
        compared++
      }
      report(`${kind}, ${name}: ${compared} answers equal`)
      expectCounts(`${kind}, ${name}`, compared, COUNTS[name] ?? 0)
    },
  )
})

describe('the recorded actions', () => {
  /** Legs of one transaction by account: what of the vault moved, and what of the debt. */
  const legsOf = (rows: readonly ActivityRow[], address: string) => rows.filter((row) => row.address === address)
  const byTransaction = () => {
    const rows = new Map<string, ActivityRow[]>()
    for (const row of activities)
      rows.set(`${row.key.ledger}/${row.key.txOrder}`, [...(rows.get(`${row.key.ledger}/${row.key.txOrder}`) ?? []), row])
    return rows
  }

  it('the recorded actions are activities of every account that they changed, and nothing else is', () => {
    const rows = byTransaction()
    const oracles = new Set(network.oracles.map(({ contract }) => contract))
    // Setting up an oracle changes no vault.
    const done = [...of('fxdao.action'), ...of('fxdao.locking_action'), ...of('fxdao.management')].filter(
      (answer) => answer.ok === true && !oracles.has(answer.contract),
    )
    const places = new Set<string>()
    for (const answer of done as never[] as Answer[]) {
      const place = `${answer.ledger}/${answer.order + 1}`
      places.add(place)
      const legs = rows.get(place) ?? []
      const named = (answer.vaults ?? []).map(({ account }) => account)
      expect({ place, missing: named.filter((account) => legsOf(legs, account).length === 0) }).toEqual({ place, missing: [] })
      expect({ place, function: answer.function, legs: legs.length > 0 }).toMatchObject({ legs: true })
    }
    // The recording lacks the first set-up of the contracts; every other activity is in it.
    const others = [...rows].filter(([place, legs]) => !places.has(place) && legs.some((leg) => leg.activityType !== 'admin'))
    expect(others.map(([place]) => place)).toEqual([])
    report(`fxdao.action and others: ${done.length} found`)
  })

  it('the recorded actions moved in vaults the amounts that the contract reports', () => {
    const rows = byTransaction()
    for (const answer of of('fxdao.action') as never[] as Answer[]) {
      if (!answer.ok) continue
      const legs = rows.get(`${answer.ledger}/${answer.order + 1}`) ?? []
      const coins = new Set([...stateAt(answer.ledger).currencies].map(([, { value }]) => value.coin))
      for (const { account } of answer.vaults) {
        const debts = answer.vaults.filter((it) => it.account === account)
        const debt = debts.reduce((sum, it) => sum + BigInt(it.after?.total_debt ?? 0) - BigInt(it.before?.total_debt ?? 0), 0n)
        const result = legsOf(legs, account)
          .filter((row) => coins.has(row.assetId))
          .reduce((sum, row) => sum + debtChange(row), 0n)
        expect({ ledger: answer.ledger, action: answer.action, account, debt: result }).toEqual({
          ledger: answer.ledger,
          action: answer.action,
          account,
          debt,
        })
      }
    }
  })
})

/** What a leg of coins did to the debt of its account's vaults. */
function debtChange(row: ActivityRow): bigint {
  const result = row.metadata.raw_debt_change
  if (typeof result === 'string') return BigInt(result)
  if (row.metadata.role === 'redeemer' || row.metadata.role === 'liquidator') return 0n
  return row.direction === 'received' ? row.amount : -row.amount
}

interface RecordedVault {
  total_debt: string
}

/** The compared members of the recording. */
interface Answer extends ExpectedAnswer {
  ok: boolean
  order: number
  action: string
  function: string
  vaults: { account: string; before: RecordedVault | null; after: RecordedVault | null }[]
}
