import { apartContract } from './apart-contract.ts'

apartContract({ files: 96, lateByMs: 15_000, refusedMs: 60_000 })
