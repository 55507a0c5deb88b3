export { FIXED_POOL, type FixedReserve, fixedPoolEntries, positionsEntry } from './fixed-pool.ts'
export { type LedgerOfEntries, ledgersOfEntries } from './ledgers.ts'
export { AGGREGATORS, aggregatorEntry, CEX_ROUNDS, DEX_ROUNDS, type FeedRound, feedEntries, type MadeEntry, mainnet } from './oracles.ts'
