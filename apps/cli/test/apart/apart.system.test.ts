import { apartContract } from './apart-contract.ts'

apartContract({ files: 24, asleepMs: 5_000, lateByMs: 0, refusedMs: 3_000, faultCount: 4 })
