import type { Pricing } from '@orrery/pricing'
import type { Network, NoticeRow, Slice } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import type { Unused } from './action.ts'
import type { ActionPlace } from './activity-rows.ts'
import { type FoldSteps, runFold } from './run-fold.ts'
import type { FoldState } from './state/state-entries.ts'

/** An operation of its own transaction that makes no action. */
interface Idle extends ActionPlace {
  readonly unused: readonly Unused[]
}

const slice = { protocol: 'sample', partition: 2, ledger: 5, closeTimeSeconds: 1_700_000_000 } as Slice
const place = (txOrder: number): ActionPlace => ({
  transaction: { hash: `tx${txOrder}`, txOrder, source: 'G', feeSource: null, memo: null } as ActionPlace['transaction'],
  opIndex: 0,
})

/** Notices of a ledger whose operations left these events unused. */
function noticesOf(...unused: readonly (readonly Unused[])[]): readonly NoticeRow[] {
  const steps: FoldSteps<FoldState, null, null, Idle, { actions: []; unused: readonly Unused[] }, null> = {
    directory: () => null,
    applyRecords: () => null,
    decimalsOf: () => null,
    ledgerEnd: () => null,
    operationsOf: () => unused.map((of, n) => ({ ...place(n), unused: of })),
    deriveActions: (operation) => ({ actions: [], unused: operation.unused }),
    unusedKind: 'event',
    valueLeg: () => ({ info: null, price: null, usdValue: null }),
    settle: () => undefined,
    takeSnapshots: () => ({ positionSnapshots: [], reserveSnapshots: [], poolSnapshots: [] }),
  }
  const pricing = { apply: () => ({ state: [], prices: [], notices: [] }) } as unknown as Pricing
  return runFold(steps, { ledger: 4 } as FoldState, slice, { network: {} as Network, pricing }).notices
}

const expected = (reason: string): Unused => ({ contract: 'C', reason, expected: true })
const unexpected = (reason: string, contract = 'C'): Unused => ({ contract, reason, expected: false })

describe('notices of unused events', () => {
  it('an event that is expected to be unused makes no notice', () => {
    expect(noticesOf([expected('approve')], [expected('approve'), expected('set_admin')])).toEqual([])
  })

  it('an unexpected unused event makes a notice with its contract, kind and reason', () => {
    expect(noticesOf([expected('approve'), unexpected('an unknown topic')])).toEqual([
      {
        ...{ protocol: 'sample', partition: 2, ledger: 5, closeTimeSeconds: 1_700_000_000 },
        ...{ contract: 'C', kind: 'event', reason: 'an unknown topic', count: 1 },
      },
    ])
  })

  it('equal reasons of one contract are counted in one notice, over all operations of the ledger', () => {
    const rows = noticesOf([unexpected('a'), unexpected('b'), unexpected('a')], [unexpected('a')], [unexpected('a', 'D')])
    expect(rows.map(({ contract, reason, count }) => [contract, reason, count])).toEqual([
      ['C', 'a', 3],
      ['C', 'b', 1],
      ['D', 'a', 1],
    ])
  })
})
