// The fold of Aquarius without a store: records per second over the demo network. Compared with Orrery's goal; no other program reads this protocol.
// `node bench/aquarius.ts [rounds]`.

import { aquarius } from '@orrery/aquarius'
import { printFoldRate, recordedSlices } from './src/fold-rate.ts'
import { printMachine } from './src/print.ts'

const ROUNDS = Number(process.argv[2] ?? 3)

printMachine()
await printFoldRate(aquarius, await recordedSlices(aquarius), ROUNDS)
