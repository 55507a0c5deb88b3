import { join } from 'node:path'
import { cuttingContract } from './cutting-contract.ts'

cuttingContract({ driver: 'LMDB', logUrl: (dir) => `lmdb:${join(dir, 'log')}`, files: 2, runs: 1 })
