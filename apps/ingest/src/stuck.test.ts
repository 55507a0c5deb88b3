import { createLogger } from '@orrery/service-kit'
import { expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { aWorld } from '../test/world.ts'
import { startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()

it('a stuck loop turns unready, and then the process ends with 75 and an explanation', async () => {
  const world = await aWorld(aFolder)
  await using log = await world.log()
  const isStuck = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const source = memorySource(world.ledgers, {
    last: null,
    before: (sequence) => {
      if (sequence !== 1_000_020) return
      isStuck.resolve()
      return goesOn.promise
    },
  })
  const lines: string[] = []
  const logger = createLogger({ name: 'test', level: 'error', json: true, to: { write: (line: string) => void lines.push(line) } })
  const time = { ms: 0 }
  const end = Promise.withResolvers<number>()
  const ingest = await startIngest(world.optionsFor(log, { source, logger, watchdog: { monotonicMs: () => time.ms, end: end.resolve } }))
  await isStuck.promise
  expect(ingest.readiness()).toEqual({ ok: true, why: '' })

  time.ms = 61_000
  expect(ingest.readiness()).toEqual({ ok: false, why: 'ingest has made no progress for 61 s' })
  time.ms = 301_000
  expect(await end.promise).toBe(75)
  expect(JSON.parse(lines.at(-1) ?? '').msg).toContain('What was acknowledged is safe')

  // Here the process continues: the loop resumes, and nothing is lost.
  goesOn.resolve()
  await ingest.finished
  expect(ingest.readiness().ok).toBe(true)
  expect(await world.contentOf(log)).toEqual(world.expected)
})
