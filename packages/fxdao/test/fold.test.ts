// What no cut of the log may change: restarts and empty slices. FxDAO is one partition, always.

import { loadNetwork } from '@orrery/registry'
import { recording } from '@orrery/testkit'
import { foldContract } from '@orrery/testkit/fold-contract'
import { fxdao } from '../src/protocol.ts'

const forge = recording()

foldContract(fxdao, {
  recording: forge,
  network: () => loadNetwork(forge.registryFile),
  partitions: 1,
  digests: {
    version: 3,
    rows: {
      state: '25609 026c18bb4ff14ddc',
      prices: '77270 dd70c2760de546f6',
      positionSnapshots: '57082 56d95c5015b2c643',
      reserveSnapshots: '4438 c0764765e3d74a53',
      poolSnapshots: '5473 c9e5a246dd4fd022',
      activities: '1666 05fd6a4df423e8f5',
      transactions: '886 fe784cca555c207d',
      notices: '0 e3b0c44298fc1c14',
    },
  },
})
