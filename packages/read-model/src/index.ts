export { serverText } from './clickhouse-error.ts'
export { openStore } from './clickhouse-store.ts'
export { type ClickHouseAddress, type ClickHouseConnection, type ConnectionOptions, openClickHouse } from './connection.ts'
export { keptAnalystPassword } from './host/credentials.ts'
export { type ClickHouseHost, type HostOptions, startClickHouseHost } from './host/start-host.ts'
export type { ActiveAdapter, IndexTip, LedgerTime } from './index-tip.ts'
export { defineQuery, type Query, type QueryDefinition } from './query.ts'
export {
  type OwnerStateQuestion,
  openReadModel,
  type ReadModel,
  type ReadModelOptions,
  type StateQuestion,
  type StateSelection,
} from './read-model.ts'
export type { QueryOptions, QueryTag } from './run-query.ts'
export { type MigrateOptions, migrate } from './schema/migrate.ts'
export type { SchemaTarget } from './schema/render.ts'
export type { Checkpoint, ControlFact, HealthReport, LedgerRow, Store } from './store.ts'
