import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openClickHouse } from './connection.ts'

const NOWHERE = { url: 'http://127.0.0.1:9', user: 'writer', password: '', database: 'orrery' }

it('a connection counts its retry time from the first failure: a process that was suspended during a statement still retries it', async () => {
  await using connection = openClickHouse({ ...NOWHERE, retryForMs: 200 })
  let attempts = 0
  const work = async () => {
    if (++attempts > 1) return 'stored'
    await delay(300) // longer than its patience
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  }
  expect(await connection.attempt('insert', work)).toBe('stored')
  expect(attempts).toBe(2)
})
