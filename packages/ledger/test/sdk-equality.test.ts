import { sdkEqualityContract } from './sdk-equality-contract.ts'

sdkEqualityContract({ fileStep: 10, loadTestLedgers: 2 })
