import { injectionsContract } from './testing/injections-contract.ts'

injectionsContract('SQLite', async () => ({}))
