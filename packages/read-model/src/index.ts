export { backUpDatabase, restoreDatabase } from './backup/back-up-database.ts'
export { isOverReadLimit, serverText } from './clickhouse-error.ts'
export { openStore } from './clickhouse-store.ts'
export { type ClickHouseAddress, type ClickHouseConnection, type ConnectionOptions, openClickHouse, type QueryTag } from './connection.ts'
export { exportPoints, type PointColumn } from './export/export-points.ts'
export {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportRequest,
  exportView,
  type ReadableView,
  readableViews,
} from './export/export-view.ts'
export { keptAnalystPassword, PASSWORDS_FILE } from './host/credentials.ts'
export { backupFolderOf } from './host/engine-files.ts'
export { type ClickHouseHost, type HostOptions, startClickHouseHost } from './host/start-host.ts'
export { assertSpaceForTables, assertTablesWritten } from './host/unwritten-tables.ts'
export { type ActiveAdapter, completeLedgerOf, type IndexTip, type LedgerTime } from './index-tip.ts'
export { type ComparedVersions, diffVersions, type LargestChange, type TableChanges } from './index-versions/diff-versions.ts'
export { foldedLedger, type IndexVersion, type Purpose, versionToFollow } from './index-versions/index-version.ts'
export {
  activateIndexVersion,
  findOrCreateIndexVersion,
  holdIndexVersion,
  type NewIndexVersion,
  readIndexVersions,
  retireIndexVersion,
  rowsOfIndexVersion,
} from './index-versions/index-versions.ts'
export { readPartitionHealth } from './partition-health.ts'
export { PARTITION_STATUSES, type PartitionHealth, type PartitionStatus, partitionStatus } from './partition-status.ts'
export { positionTermParam, termChunks } from './position-terms.ts'
export { type Quarantine, quarantinesOf } from './quarantine.ts'
export { defineQuery, type Query, type QueryDefinition } from './query.ts'
export { openReadModel, type ReadModel, type ReadModelOptions } from './read-model.ts'
export { activeParam, type QueryOptions } from './run-query.ts'
export { assertMigrated, type MigrateOptions, migrate } from './schema/migrate.ts'
export type { SchemaTarget } from './schema/render.ts'
export { createUsers, readableNames, SERVER_USERS, type ServerUser, userStatements } from './schema/server-users.ts'
export { openShards } from './schema/shards.ts'
export { NON_ACCOUNT_KEYS, type OwnerStateRequest, type StateRequest, type StateSelection } from './state-request.ts'
export { flushLeft, onViews, parametersOf, parameterText, type StatementParameter, tablesOf, viewOf } from './statement-text.ts'
export type { Checkpoint, ControlFact, EncodedRows, HealthReport, LedgerRow, RowEncoder, Store } from './store.ts'
export { type ComparedRange, compareTable, type DifferenceKind, type RowDifference, type TableDifferences } from './verify/compare-table.ts'
export { removeReplaced } from './verify/remove-replaced.ts'
export { repairTable } from './verify/repair-table.ts'
export { openScratch, type Scratch } from './verify/scratch.ts'
export { storeVerification } from './verify/store-verification.ts'
export { UNFOLDED_TABLES, type VerifiedTable, verifiedTables } from './verify/verified-tables.ts'
