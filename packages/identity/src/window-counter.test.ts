import { expect, it } from 'vitest'
import { openRedis } from './redis.ts'
import { memoryCounter } from './window-counter.ts'
import { counterContract } from './window-counter-contract.ts'

counterContract('memory', (test) => test(memoryCounter({ of: 'tests', windowSeconds: 60 })))

it('an address that is not one of a Redis is refused', async () => {
  await expect(openRedis('http://127.0.0.1', () => undefined)).rejects.toMatchObject({ code: 'unknown_redis_url' })
})
