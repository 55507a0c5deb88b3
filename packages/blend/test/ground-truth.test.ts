// Every answer that the Blend contracts and the oracles of the recording gave, against the state that a reader loads as of that ledger.

import type { ExpectedAnswer } from '@orrery/testkit'
import { expectCounts, groundTruthRecording, isShippedRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import * as answers from './answers.ts'
import { type FoldedWorld, foldedWorld } from './world.ts'

let world: FoldedWorld
const byKind = new Map<string, ExpectedAnswer[]>()
/** Pools that no factory of ours made. */
const strangers = new Set<string>()

/** As many answers as there are of pools that are ours; of withdrawals and auctions those that the contract gives. */
const COUNTS: Readonly<Record<string, number>> = {
  'blend.pool': 1_218,
  'blend.reserve': 3_669,
  'blend.user': 15_726,
  'blend.user withdraw_max': 5_276,
  'blend.reserve_emissions': 3_553,
  'blend.user_emissions': 23_833,
  'blend.backstop': 532,
  'blend.backstop_pool': 1_218,
  'blend.backstop_pool value': 1_218,
  'blend.backstop_user': 5_705,
  'blend.auction': 490,
  'blend.comet': 266,
  'blend.lp_balance': 4_303,
  'blend.emitter': 266,
  'oracle.lastprice': 4_256,
  'oracle.feed': 532,
}

const report = (line: string) => process.stdout.write(`${line}\n`)

beforeAll(async () => {
  const recorded = groundTruthRecording()
  world = await foldedWorld(undefined, recorded)
  for await (const answer of recorded.expected()) {
    if (answer.kind.startsWith('blend.') || answer.kind.startsWith('oracle.')) {
      const known = byKind.get(answer.kind) ?? []
      known.push(answer)
      byKind.set(answer.kind, known)
      if (answer.from_factory === false) strangers.add(answer.contract)
    }
  }
})

/** Compares all answers of a kind, and says how many there were. */
function equal(kind: string, compare: (question: answers.Question) => answers.Comparison | null, what = kind): void {
  let compared = 0
  for (const answer of byKind.get(kind) ?? []) {
    if (strangers.has(answer.contract) || strangers.has(String(answer.pool))) continue
    const at = { ledger: answer.ledger, closeTimeSeconds: answer.close_time }
    const comparison = compare({ answer, state: world.stateAt(answer.ledger), network: world.network, at })
    if (comparison === null) continue
    const { ledger, contract, address } = answer
    expect({ ledger, contract, address, says: comparison.ours }).toEqual({ ledger, contract, address, says: comparison.theirs })
    compared++
  }
  expectCounts(what, compared, COUNTS[what] ?? 0)
  report(`${what}: ${compared} answers equal`)
}

describe('the recorded contracts', () => {
  it('say of pools what the state rows say', () => equal('blend.pool', answers.pool))
  it('say of reserves what the state rows say, stored and accrued to the close time', () => equal('blend.reserve', answers.reserve))
  it('say of accounts what the state rows say, raw and in underlying now', () => equal('blend.user', answers.user))
  it('pay what we say when everything is withdrawn', () => equal('blend.user', answers.withdrawMax, 'blend.user withdraw_max'))
  it('say of emissions what the state rows say', () => equal('blend.reserve_emissions', answers.reserveEmissions))
  it('owe each account the BLND that we say', () => equal('blend.user_emissions', answers.userEmissions))
  it('say of backstops what the state rows say', () => equal('blend.backstop', answers.backstop))
  it('say of the backstops of pools what the state rows say', () => equal('blend.backstop_pool', answers.backstopPool))
  it('value LP tokens as we do', () => equal('blend.backstop_pool', answers.backstopValue, 'blend.backstop_pool value'))
  it('say of depositors what the state rows say, owe them the BLND and let them withdraw what we say', () =>
    equal('blend.backstop_user', answers.backstopUser))
  it('say of auctions what the state rows say', () => equal('blend.auction', answers.auction))
  it('say of the Comet pool what the state rows say', () => equal('blend.comet', answers.comet))
  it('say of LP tokens what the state rows say', () => equal('blend.lp_balance', answers.lpBalance))
  it('say of the emitter what the state rows say', () => equal('blend.emitter', answers.emitter))
  it('give the prices that we say', () => equal('oracle.lastprice', answers.lastPrice))
  it('say of price feeds what the state rows say', () => equal('oracle.feed', answers.feed))
})

describe('the look-alike pool', () => {
  it('of the real code and the real backstop is nobody to us: its factory is not ours', () => {
    const asked = (byKind.get('blend.pool') ?? []).filter((answer) => answer.from_factory === false)
    if (isShippedRecording) expect(asked.length).toBe(266)
    for (const { ledger, contract } of asked) expect(world.stateAt(ledger).pools.has(contract)).toBe(false)
  })
})

describe('what must hold in every ledger', () => {
  it('holds: no shares without an owner, no owner without shares', () => {
    const broken = world.rows.flatMap(({ notices }) => notices).filter(({ kind }) => kind === 'invariant')
    expect(broken).toEqual([])
  })
})
