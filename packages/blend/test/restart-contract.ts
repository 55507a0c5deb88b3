// What no cut of the log may change: the suite of all folds, from checkpoints where Blend has most to remember.

import type { Rows } from '@orrery/protocol-kit'
import { foldContract } from '@orrery/testkit/fold-contract'
import { expect } from 'vitest'
import { blend } from '../src/protocol.ts'
import { type FoldedWorld, forge } from './world.ts'

export interface RestartOptions {
  /** One of so many ledgers right before an auction is filled. */
  readonly auctionStep: number
  /** One of so many ledgers right before BLND is claimed. */
  readonly claimStep: number
  /** Restarts at random places. */
  readonly restarts: number
}

/** Registers the suite. */
export function restartContract(world: FoldedWorld, { auctionStep, claimStep, restarts }: RestartOptions): void {
  /** Ledgers right before those with such an activity: every `step`th of them. */
  function justBefore(is: (activity: Rows['activities'][number]) => boolean, step: number): number[] {
    const ledgers = world.slices.flatMap(({ ledger }, n) => (world.rows[n]?.activities.some(is) ? [ledger - 1] : []))
    expect(ledgers.length).toBeGreaterThan(20)
    return ledgers.filter((_, n) => n % step === 0)
  }

  const withinAuctions = justBefore(({ metadata }) => metadata.event === 'fill_auction', auctionStep)
  const amidEmissions = justBefore(({ activityType, amount }) => activityType === 'claim' && amount > 0n, claimStep)
  foldContract(blend, {
    recording: forge,
    network: async () => world.network,
    partitions: 4,
    checkpoints: [...withinAuctions, ...amidEmissions],
    restarts,
    digests: {
      version: 5,
      rows: {
        state: '102894 e2b49e6bb1677914',
        prices: '77270 c03112db89e83049',
        positionSnapshots: '167689 0e2d67815dbe6f39',
        reserveSnapshots: '15910 5757a22de6d77cd3',
        poolSnapshots: '5778 1b244aa269d705b6',
        activities: '2149 a2f630d02361450f',
        transactions: '1392 94271f798c9eeb37',
        notices: '0 e3b0c44298fc1c14',
      },
    },
  })
}
