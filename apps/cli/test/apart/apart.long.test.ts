import { apartContract } from './apart-contract.ts'

apartContract({ files: 96, asleepMs: 15_000, lateByMs: 15_000, refusedMs: 60_000, faultCount: 40 })
