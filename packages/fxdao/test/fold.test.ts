// What no cut of the log may change: restarts and empty slices. FxDAO is one partition, always.

import { loadNetwork } from '@orrery/registry'
import { recording } from '@orrery/testkit'
import { foldContract } from '@orrery/testkit/fold-contract'
import { fxdao } from '../src/protocol.ts'

const forge = recording()

foldContract(fxdao, { recording: forge, network: () => loadNetwork(forge.registryFile), partitions: 1 })
