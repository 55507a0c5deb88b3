import { simulationContract } from './simulation-contract.ts'

simulationContract({ seeds: Array.from({ length: 200 }, (_, n) => n + 1), faultCount: 4 })
