// Every answer that the Aquarius contracts of the recording gave, against the state that a reader loads as of that ledger.

import { expectCounts, groundTruthRecording } from '@orrery/testkit/ground-truth'
import { beforeAll, describe, expect, it } from 'vitest'
import { COMPARISONS } from './answers.ts'
import { type AsOf, foldRecording, named } from './as-of.ts'

let world: AsOf

beforeAll(async () => {
  world = await foldRecording(groundTruthRecording())
})

/** As many answers as there are; fewer where only some kinds of pools have such a thing, or where the contract refuses. */
const COUNTS: Readonly<Record<string, number>> = {
  router: 301,
  listedPools: 301,
  pool: 2_894,
  poolRewards: 2_894,
  stableQuotes: 543,
  productQuotes: 1_448,
  productLiquidity: 1_189,
  gauge: 1_503,
  shares: 12_864,
  oneCoin: 4_114,
  claims: 18_991,
  userRewards: 18_991,
  ranges: 6_127,
  position: 4_961,
}

describe('the recorded contracts', () => {
  it.each(COMPARISONS.map(([kind, compare]) => [kind, compare.name, compare] as const))(
    'answer as %s what follows from the state rows: %s',
    (kind, name, compare) => {
      let compared = 0
      for (const answer of world.answers(kind.replace('aquarius.', ''))) {
        const at = { ledger: answer.ledger, closeTimeSeconds: answer.close_time }
        const comparison = compare({ answer, state: world.stateAt(answer.ledger), at })
        if (comparison === null) continue
        expect({ ...named(answer), members: comparison.ours }).toEqual({ ...named(answer), members: comparison.theirs })
        compared++
      }
      process.stdout.write(`${kind}, ${name}: ${compared} answers equal\n`)
      expectCounts(`${kind}, ${name}`, compared, COUNTS[name] ?? 0)
    },
  )

  it('cause no notice when the recording is folded', () => {
    expect([...new Set(world.notices)]).toEqual([])
  })
})
