import { simulationContract } from './simulation-contract.ts'

simulationContract(
  Array.from({ length: 200 }, (_, n) => n + 1),
  4,
)
