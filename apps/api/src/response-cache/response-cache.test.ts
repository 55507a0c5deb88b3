import { memoryStore } from './answer-store.ts'
import { responseCacheContract } from './response-cache-contract.ts'

responseCacheContract('memory', async () => memoryStore())
