import { afterEach, describe, expect, it } from 'vitest'
import { createLogger } from './logger.ts'
import { startWatchdog, type Watchdog } from './watchdog.ts'

function world() {
  const lines: string[] = []
  const ends: number[] = []
  const time = { ms: 0 }
  watchdog = startWatchdog({
    name: 'partition soroswap/2',
    unreadyAfterSeconds: 60,
    endAfterSeconds: 240,
    logger: createLogger({ name: 'test', level: 'info', json: true, to: { write: (line: string) => void lines.push(line) } }),
    monotonicMs: () => time.ms,
    end: (code) => ends.push(code),
  })
  const after = (seconds: number) => {
    time.ms += seconds * 1000
    watchdog.check()
  }
  return { lines, ends, after, watchdog }
}

let watchdog: Watchdog
afterEach(() => watchdog.stop())

describe('a watchdog', () => {
  it('is content while the heartbeat is renewed', () => {
    const { lines, ends, after } = world()
    for (let n = 0; n < 100; n++) {
      after(60)
      watchdog.beat()
    }
    expect(watchdog.readiness()).toEqual({ ok: true, why: '' })
    expect([lines, ends]).toEqual([[], []])
  })

  it('makes the process unready, and says so once, when the heartbeat stays away', () => {
    const { lines, ends, after } = world()
    after(61)
    after(10)
    expect(watchdog.readiness()).toEqual({ ok: false, why: 'partition soroswap/2 made no sign of life for 71 s' })
    expect([lines.length, ends]).toEqual([1, []])
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'Became unready: no sign of life', endsInSeconds: 239 })
  })

  it('makes it ready again when the heartbeat comes back', () => {
    const { lines, ends, after } = world()
    after(299)
    watchdog.beat()
    after(60)
    expect(watchdog.readiness().ok).toBe(true)
    expect([lines.length, ends]).toEqual([2, []])
  })

  it('is content when what it watched has ended in good order', () => {
    const { ends, after, watchdog } = world()
    watchdog.stop()
    after(0)
    expect([watchdog.readiness().ok, ends]).toEqual([true, []])
  })

  it('ends the process with 75 and an explanation when it does not', () => {
    const { lines, ends, after } = world()
    after(301)
    expect(ends).toEqual([75])
    expect(lines.join('')).toContain('made no sign of life for 301 s. What was acknowledged is safe')
  })
})
