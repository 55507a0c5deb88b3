import { expect, it } from 'vitest'
import { apiEnv } from './env.ts'

const GOOD = {
  ORRERY_NETWORK: 'demo',
  ORRERY_CLICKHOUSE_URL: 'http://localhost:8123',
  ORRERY_CLICKHOUSE_PASSWORD: 'x',
  ORRERY_IDENTITY: 'sqlite:identity.db',
  ORRERY_CURSOR_KEY: 'ab'.repeat(32),
}

it('has a default for what is no secret', () => {
  expect(apiEnv(GOOD)).toMatchObject({
    ORRERY_PORT: 8080,
    ORRERY_HOST: '127.0.0.1',
    ORRERY_INTERNAL_PORT: 9090,
    ORRERY_CORS_ORIGINS: [],
    ORRERY_TRUST_PROXY: false,
    ORRERY_DEADLINE_SECONDS: 10,
    ORRERY_DRAIN_SECONDS: 10,
    ORRERY_LOG_JSON: true,
  })
})

it('reads what is given', () => {
  const given = {
    ORRERY_PORT: '0',
    ORRERY_CORS_ORIGINS: 'https://a.example, http://localhost:5173',
    ORRERY_LOG_LEVEL: 'debug',
    ORRERY_TRUST_PROXY: 'true',
  }
  expect(apiEnv({ ...GOOD, ...given })).toMatchObject({
    ORRERY_PORT: 0,
    ORRERY_CORS_ORIGINS: ['https://a.example', 'http://localhost:5173'],
    ORRERY_LOG_LEVEL: 'debug',
    ORRERY_TRUST_PROXY: true,
  })
})

it.each([
  ['ORRERY_PORT', '70000'],
  ['ORRERY_PORT', '-1'],
  ['ORRERY_PORT', '0x10'],
  ['ORRERY_CORS_ORIGINS', 'https://a.example/'],
  ['ORRERY_CORS_ORIGINS', '*'],
  ['ORRERY_CURSOR_KEY', 'short'],
  ['ORRERY_TRUST_PROXY', 'yes'],
  ['ORRERY_CLICKHOUSE_URL', 'localhost:8123'],
  ['ORRERY_LOG_LEVEL', 'loud'],
])('refuses %s=%s and names it', (name, value) => {
  expect(() => apiEnv({ ...GOOD, [name]: value })).toThrow(name)
})

it('names everything that is missing at once', () => {
  expect(() => apiEnv({})).toThrow(
    /^5 variables of the environment cannot be used[\s\S]*NETWORK[\s\S]*CLICKHOUSE_URL[\s\S]*CLICKHOUSE_PASSWORD[\s\S]*IDENTITY[\s\S]*CURSOR_KEY/,
  )
})
