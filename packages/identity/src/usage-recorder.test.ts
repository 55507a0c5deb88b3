import { expect, it } from 'vitest'
import type { UsageCount } from './identity.ts'
import { openUsageRecorder } from './usage-recorder.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const NOTHING = { requests: 0, cost: 0, byKey: [] }

/** A database that the test can take away, and a recorder that writes only when it is asked. */
function recording() {
  const batches: (readonly UsageCount[])[] = []
  const failures: unknown[] = []
  const state = { isAway: false, nowMs: NOON_MS }
  const identity = {
    async addUsage(counts: readonly UsageCount[]) {
      if (state.isAway) throw new Error('The database is away.')
      if (counts.length > 0) batches.push(counts)
    },
    usageOfDay: async () => NOTHING,
  }
  const usage = openUsageRecorder({
    identity,
    now: () => state.nowMs,
    writeWithinMs: 3_600_000,
    onUnwritten: (cause) => failures.push(cause),
  })
  return { usage, batches, failures, state }
}

const ONE = { requests: 1, cost: 1 }

it('usage is summed in memory by day, organization and key, and written together', async () => {
  const { usage, batches, state } = recording()
  usage.add({ organizationId: 'o', apiKeyId: 'k' }, ONE)
  usage.add({ organizationId: 'o', apiKeyId: 'k' }, ONE)
  usage.add({ organizationId: 'o', apiKeyId: 'k' }, { requests: 0, cost: 10 })
  usage.add({ organizationId: 'o' }, ONE)
  usage.add({ organizationId: 'p', apiKeyId: 'l' }, ONE)
  state.nowMs = NOON_MS + 12 * 3_600_000
  usage.add({ organizationId: 'o', apiKeyId: 'k' }, ONE)
  expect(batches).toEqual([])
  await usage[Symbol.asyncDispose]()
  expect(batches).toEqual([
    [
      { day: '2026-01-01', organizationId: 'o', apiKeyId: 'k', requests: 2, cost: 12 },
      { day: '2026-01-01', organizationId: 'o', apiKeyId: null, requests: 1, cost: 1 },
      { day: '2026-01-01', organizationId: 'p', apiKeyId: 'l', requests: 1, cost: 1 },
      { day: '2026-01-02', organizationId: 'o', apiKeyId: 'k', requests: 1, cost: 1 },
    ],
  ])
})

it('counts that could not be written are written with the next batch', async () => {
  const { usage, batches, state } = recording()
  state.isAway = true
  usage.add({ organizationId: 'o' }, ONE)
  await expect(usage.today('o')).rejects.toThrow('The database is away.')
  usage.add({ organizationId: 'o' }, ONE)
  state.isAway = false
  expect(await usage.today('o')).toEqual(NOTHING)
  expect(batches).toEqual([[{ day: '2026-01-01', organizationId: 'o', apiKeyId: null, requests: 2, cost: 2 }]])
  await usage[Symbol.asyncDispose]()
  expect(batches).toHaveLength(1)
})

it('a disposal that cannot write its counts reports why', async () => {
  const { usage, failures, state } = recording()
  state.isAway = true
  usage.add({ organizationId: 'o' }, ONE)
  await usage[Symbol.asyncDispose]()
  expect(failures).toEqual([new Error('The database is away.')])
})

it('usage is written some time after it was counted, without a request for it', async () => {
  const written = Promise.withResolvers<readonly UsageCount[]>()
  const identity = { addUsage: async (counts: readonly UsageCount[]) => written.resolve(counts), usageOfDay: async () => NOTHING }
  await using usage = openUsageRecorder({ identity, now: () => NOON_MS, writeWithinMs: 1 })
  usage.add({ organizationId: 'o' }, ONE)
  expect(await written.promise).toMatchObject([{ requests: 1 }])
})
