import { simulationContract } from './simulation-contract.ts'

simulationContract(
  { seeds: Array.from({ length: 10 }, (_, n) => n + 1), faultCount: 2 },
  // A disk that was full at the start ended `up` as an unexpected error, and no supervisor started it again.
  // 114: a disk that was full while the tables were made left empty definitions, on which the engine did not start again.
  { seeds: [9, 102, 114], faultCount: 4 },
)
