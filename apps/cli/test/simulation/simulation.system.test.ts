import { simulationContract } from './simulation-contract.ts'

simulationContract(
  Array.from({ length: 10 }, (_, n) => n + 1),
  2,
)
