import { apartContract } from './apart-contract.ts'

apartContract({ files: 24, lateByMs: 0, refusedMs: 3_000 })
