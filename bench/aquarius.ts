// The fold of Aquarius without a store: records a second over the demo network. Measured against our goal; nobody else reads these.
// `node bench/aquarius.ts [rounds]`.

import { aquarius } from '@orrery/aquarius'
import { recordedSlices, sayFoldRate } from './src/fold-rate.ts'
import { sayMachine } from './src/print.ts'

const ROUNDS = Number(process.argv[2] ?? 3)

sayMachine()
await sayFoldRate(aquarius, await recordedSlices(aquarius), ROUNDS)
