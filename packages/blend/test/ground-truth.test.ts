// Every answer that the Blend contracts and the oracles of the recording gave, against the state that a reader loads as of that ledger.

import type { ExpectedAnswer } from '@orrery/testkit'
import { expectCounts, groundTruthRecording, isShippedRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import * as answers from './answers.ts'
import { type FoldedWorld, foldedWorld } from './world.ts'

let world: FoldedWorld
const byKind = new Map<string, ExpectedAnswer[]>()
/** Pools that no factory of the registry made. */
const strangers = new Set<string>()

/** As many answers as there are of pools of the registry's factories; of withdrawals and auctions those that the contract gives. */
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

/** Compares all answers of a kind, and reports how many there were. */
function equal(kind: string, compare: (question: answers.Question) => answers.Comparison | null, what = kind): void {
  let compared = 0
  for (const answer of byKind.get(kind) ?? []) {
    if (strangers.has(answer.contract) || strangers.has(String(answer.pool))) continue
    const at = { ledger: answer.ledger, closeTimeSeconds: answer.close_time }
    const comparison = compare({ answer, state: world.stateAt(answer.ledger), network: world.network, at })
    if (comparison === null) continue
    const { ledger, contract, address } = answer
    expect({ ledger, contract, address, answer: comparison.ours }).toEqual({ ledger, contract, address, answer: comparison.theirs })
    compared++
  }
  expectCounts(what, compared, COUNTS[what] ?? 0)
  report(`${what}: ${compared} answers equal`)
}

describe('the recorded contracts', () => {
  it('every recorded answer about a pool is what the state rows have', () => equal('blend.pool', answers.pool))
  it('every recorded answer about a reserve is what the state rows have, stored and accrued to the close time', () =>
    equal('blend.reserve', answers.reserve))
  it('every recorded answer about an account is what the state rows have, raw and in underlying', () => equal('blend.user', answers.user))
  it('every recorded full withdrawal pays what we compute', () => equal('blend.user', answers.withdrawMax, 'blend.user withdraw_max'))
  it('every recorded answer about emissions is what the state rows have', () => equal('blend.reserve_emissions', answers.reserveEmissions))
  it('every recorded claimable amount of BLND is what we compute', () => equal('blend.user_emissions', answers.userEmissions))
  it('every recorded answer about a backstop is what the state rows have', () => equal('blend.backstop', answers.backstop))
  it('every recorded answer about the backstop of a pool is what the state rows have', () =>
    equal('blend.backstop_pool', answers.backstopPool))
  it('every recorded value of LP tokens is what we compute', () =>
    equal('blend.backstop_pool', answers.backstopValue, 'blend.backstop_pool value'))
  it('every recorded answer about a depositor is what the state rows have, with the claimable BLND and the withdrawal that we compute', () =>
    equal('blend.backstop_user', answers.backstopUser))
  it('every recorded answer about an auction is what the state rows have', () => equal('blend.auction', answers.auction))
  it('every recorded answer about the Comet pool is what the state rows have', () => equal('blend.comet', answers.comet))
  it('every recorded balance of LP tokens is what the state rows have', () => equal('blend.lp_balance', answers.lpBalance))
  it('every recorded answer about the emitter is what the state rows have', () => equal('blend.emitter', answers.emitter))
  it('every recorded price of an oracle is ours', () => equal('oracle.lastprice', answers.lastPrice))
  it('every recorded answer about a price feed is what the state rows have', () => equal('oracle.feed', answers.feed))
})

describe('the look-alike pool', () => {
  it("the look-alike pool of the real code and the real backstop is not followed: its factory is not Blend's", () => {
    const asked = (byKind.get('blend.pool') ?? []).filter((answer) => answer.from_factory === false)
    if (isShippedRecording) expect(asked.length).toBe(266)
    for (const { ledger, contract } of asked) expect(world.stateAt(ledger).pools.has(contract)).toBe(false)
  })
})

describe('what must hold in every ledger', () => {
  it('in every ledger the shares of accounts add up to the totals of the contracts', () => {
    const broken = world.rows.flatMap(({ notices }) => notices).filter(({ kind }) => kind === 'invariant')
    expect(broken).toEqual([])
  })
})
