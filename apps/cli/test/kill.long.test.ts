import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '@orrery/testkit'
import { afterAll, expect, it } from 'vitest'
import { contentsAfter, hasCaughtUp, Orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const SEED = 20_261_121
const KILLS = 20
/** Half of the kills come within this time of the start: while engines start, tables are made and partitions load. */
const WHILE_STARTING_MS = 1_500
/** The other half within this time of the first result: while it indexes. */
const WHILE_INDEXING_MS = 800

const folder = mkdtempSync(join(tmpdir(), 'orrery-kill-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('leaves the same tables however often it is killed and started again', { timeout: 1_800_000 }, async () => {
  const random = seededRandom(SEED)
  const lake = shortLake(join(folder, 'lake'), 24)
  const args = (data: string) => [...upArguments(lake, join(folder, data)), '--log-level', 'silent']

  const whole = await contentsAfter(args('unbroken'))
  const expectWhole = async (data: string): Promise<void> => {
    const broken = await contentsAfter(args(data))
    for (const [view, rows] of Object.entries(whole))
      expect(broken[view] === rows, `${view} of ${data} differs after the kills of seed ${SEED}`).toBe(true)
  }
  // A kill counts where the index was unfinished. One that had caught up is compared, and the next kills come to a new one.
  let kills = 0
  let indexes = 1
  for (let attempt = 0; kills < KILLS; attempt++) {
    expect(attempt, `seed ${SEED}: most kills came after the index had caught up`).toBeLessThan(2 * KILLS)
    const data = `killed-${indexes}`
    await using run = new Orrery(args(data))
    const isStarting = random() < 0.5
    if (!isStarting) await run.result<Ready>()
    await delay(random() * (isStarting ? WHILE_STARTING_MS : WHILE_INDEXING_MS)) // the moment is what is tested
    run.signal('SIGKILL')
    expect(await run.exited, `attempt ${attempt} of seed ${SEED}: it had ended by itself\n${run.stderr}`).toBeNull()
    if (!(await hasCaughtUp(run))) kills++
    else {
      await expectWhole(data)
      indexes++
    }
  }
  await expectWhole(`killed-${indexes}`)
  process.stderr.write(`${kills} kills of unfinished indexes, of which ${indexes} were made.\n`)
  expect(whole.state?.length).toBeGreaterThan(100_000)
})
