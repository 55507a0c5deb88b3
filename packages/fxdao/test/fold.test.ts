// The fold gives the same rows with restarts and empty slices. FxDAO is one partition, always.

import { pricesOf } from '@orrery/pricing'
import { loadNetwork } from '@orrery/protocols'
import { recording } from '@orrery/testkit'
import { foldContract } from '@orrery/testkit/fold-contract'
import { describe, expect, it } from 'vitest'
import { fxdao } from '../src/protocol.ts'

const forge = recording()

const folded = foldContract(fxdao, {
  recording: forge,
  network: () => loadNetwork(forge.registryFile),
  partitions: 1,
  digests: {
    version: 5,
    rows: {
      state: '25609 026c18bb4ff14ddc',
      prices: '77270 dd70c2760de546f6',
      positionSnapshots: '57082 4d30174db71469d0',
      reserveSnapshots: '9932 37b4adbbaa94f26b',
      poolSnapshots: '5473 c9e5a246dd4fd022',
      activities: '1666 9a5bdb576b49641f',
      transactions: '886 e8dee63d354a45d7',
      notices: '0 e3b0c44298fc1c14',
    },
  },
})

describe('the position snapshots of the recording', () => {
  it('the position snapshots of the recording have effective values whose quotient is the collateral ratio over the minimum ratio', () => {
    let compared = 0
    for (const { rows } of folded.whole) {
      const minimums = new Map(rows.poolSnapshots.map(({ pool, native }) => [pool, native.minimum_ratio]))
      for (const { pool, native, effectiveCollateralUsd, effectiveLiabilitiesUsd } of rows.positionSnapshots) {
        const minimum = minimums.get(pool)
        if (native.rate == null || native.debt === '0' || minimum === undefined) continue
        // By the contract's own entries and its feed: (rate · collateral / debt) / minimum.
        const ratio = (Number(native.rate) * Number(native.collateral)) / Number(native.debt) / Number(minimum)
        const health = Number(effectiveCollateralUsd) / Number(effectiveLiabilitiesUsd)
        // Values have eight digits, and a small vault a debt of a few cents.
        if (Math.abs(health / ratio - 1) > 1e-5) expect({ pool, native, health }).toEqual({ pool, native, health: ratio })
        compared++
      }
    }
    expect(compared).toBeGreaterThan(20_000)
  })
})

describe('the state rows of the recording', () => {
  it('the state rows of the recording are written again byte for byte after they were read', async () => {
    const prices = pricesOf(await loadNetwork(forge.registryFile))
    const own = folded.whole.flatMap(({ rows }) => rows.state).filter((row) => !row.removed && !prices.take(prices.empty(), row))
    expect(own.filter((row) => fxdao.entries.readKey(row)?.entry.rewrite(row.value) !== row.value)).toEqual([])
    expect(own.length).toBeGreaterThan(4_500)
  })
})
