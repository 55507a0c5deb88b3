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
    version: 4,
    rows: {
      state: '25609 026c18bb4ff14ddc',
      prices: '77270 dd70c2760de546f6',
      positionSnapshots: '57082 56d95c5015b2c643',
      reserveSnapshots: '4438 c0764765e3d74a53',
      poolSnapshots: '5473 c9e5a246dd4fd022',
      activities: '1666 9a5bdb576b49641f',
      transactions: '886 fe784cca555c207d',
      notices: '0 e3b0c44298fc1c14',
    },
  },
})

describe('the state rows of the recording', () => {
  it('the state rows of the recording are written again byte for byte after they were read', async () => {
    const prices = pricesOf(await loadNetwork(forge.registryFile))
    const own = folded.whole.flatMap(({ rows }) => rows.state).filter((row) => !row.removed && !prices.take(prices.empty(), row))
    expect(own.filter((row) => fxdao.entries.readKey(row)?.entry.rewrite(row.value) !== row.value)).toEqual([])
    expect(own.length).toBeGreaterThan(4_500)
  })
})
