import { sdkEqualityContract } from './sdk-equality-contract.ts'

sdkEqualityContract({ fileStep: 1, loadTestLedgers: 30 })
