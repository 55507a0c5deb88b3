export { type ClickHouseAddress, type ClickHouseConnection, type ConnectionOptions, openClickHouse } from './connection.ts'
export { defineQuery, type Query, type QueryDefinition } from './query.ts'
export type { Checkpoint, HealthReport, LedgerRow, Store } from './store.ts'
