export { type TestClickHouse, type TestDatabase, type TestDatabases, withClickHouse, withDatabases } from './with-clickhouse.ts'
