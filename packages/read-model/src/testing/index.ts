export { startTestCluster, TEST_TARGET, type TestCluster } from './cluster-engines.ts'
export { type TestClickHouse, type TestDatabase, type TestDatabases, withClickHouse, withDatabases } from './with-clickhouse.ts'
