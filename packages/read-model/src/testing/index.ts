export { type TestClickHouse, type TestDatabase, withClickHouse } from './with-clickhouse.ts'
