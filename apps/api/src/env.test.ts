import { expect, it } from 'vitest'
import { apiEnv, tokenKeysFile } from './env.ts'

const GOOD = {
  ORRERY_NETWORK: 'demo',
  ORRERY_CLICKHOUSE_URL: 'http://localhost:8123',
  ORRERY_CLICKHOUSE_PASSWORD: 'x',
  ORRERY_IDENTITY: 'sqlite:identity.db',
  ORRERY_CURSOR_KEY: 'ab'.repeat(32),
}

it('every variable except secrets and required ones has a default', () => {
  expect(apiEnv(GOOD)).toMatchObject({
    ORRERY_PORT: 8080,
    ORRERY_HOST: '127.0.0.1',
    ORRERY_INTERNAL_PORT: 9090,
    ORRERY_CORS_ORIGINS: [],
    ORRERY_DEADLINE_SECONDS: 10,
    ORRERY_DRAIN_SECONDS: 10,
    ORRERY_READ_THROUGH_KEYS: 2000,
    ORRERY_READ_THROUGH_CALLS_PER_SECOND: 5,
    ORRERY_LOG_JSON: true,
  })
})

it('given values replace the defaults', () => {
  const given = {
    ORRERY_PORT: '0',
    ORRERY_CORS_ORIGINS: 'https://a.example, http://localhost:5173',
    ORRERY_LOG_LEVEL: 'debug',
    ORRERY_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8',
  }
  const env = apiEnv({ ...GOOD, ...given })
  expect(env.ORRERY_TRUSTED_PROXIES.check('10.1.2.3')).toBe(true)
  expect(env).toMatchObject({
    ORRERY_PORT: 0,
    ORRERY_CORS_ORIGINS: ['https://a.example', 'http://localhost:5173'],
    ORRERY_LOG_LEVEL: 'debug',
  })
})

it.each([
  ['ORRERY_PORT', '70000'],
  ['ORRERY_PORT', '-1'],
  ['ORRERY_PORT', '0x10'],
  ['ORRERY_CORS_ORIGINS', 'https://a.example/'],
  ['ORRERY_CORS_ORIGINS', '*'],
  ['ORRERY_CURSOR_KEY', 'short'],
  ['ORRERY_TRUSTED_PROXIES', 'true'],
  ['ORRERY_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['ORRERY_ADMIN_TOKEN', 'short'],
  ['ORRERY_CLICKHOUSE_URL', 'localhost:8123'],
  ['ORRERY_LOG_LEVEL', 'loud'],
  ['ORRERY_READ_THROUGH_KEYS', '0'],
  ['ORRERY_READ_THROUGH_CALLS_PER_SECOND', 'many'],
])('refuses %s=%s and names it', (name, value) => {
  expect(() => apiEnv({ ...GOOD, [name]: value })).toThrow(name)
})

it('all missing variables are reported at once', () => {
  expect(() => apiEnv({})).toThrow(
    /^5 variables of the environment cannot be used[\s\S]*NETWORK[\s\S]*CLICKHOUSE_URL[\s\S]*CLICKHOUSE_PASSWORD[\s\S]*IDENTITY[\s\S]*CURSOR_KEY/,
  )
})

it('token keys are stored beside SQLite, and are required with PostgreSQL, which several instances share', () => {
  const shared = { ...GOOD, ORRERY_IDENTITY: 'postgres://orrery:secret@db/orrery' }
  expect(() => apiEnv(shared)).toThrow(/ORRERY_TOKEN_KEYS: is required/)
  expect(tokenKeysFile(apiEnv({ ...shared, ORRERY_TOKEN_KEYS: '/run/secrets/keys.pem' }))).toBe('/run/secrets/keys.pem')
  expect(tokenKeysFile(apiEnv({ ...GOOD, ORRERY_IDENTITY: 'sqlite:/var/lib/orrery/identity.sqlite' }))).toBe(
    '/var/lib/orrery/token-keys.pem',
  )
})
