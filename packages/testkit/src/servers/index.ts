export { type PostgresServer, startPostgres } from './postgres.ts'
export { type RedisServer, startRedis } from './redis.ts'
export { type ServerProcess, startServer } from './server-process.ts'
