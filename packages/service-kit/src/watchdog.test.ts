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
  it('a watchdog reports ready while the heartbeat is renewed', () => {
    const { lines, ends, after } = world()
    for (let n = 0; n < 100; n++) {
      after(60)
      watchdog.beat()
    }
    expect(watchdog.readiness()).toEqual({ ok: true, why: '' })
    expect([lines, ends]).toEqual([[], []])
  })

  it('a missing heartbeat makes the process unready, and is logged once', () => {
    const { lines, ends, after } = world()
    after(61)
    after(10)
    expect(watchdog.readiness()).toEqual({ ok: false, why: 'partition soroswap/2 has made no progress for 71 s' })
    expect([lines.length, ends]).toEqual([1, []])
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'Became unready: no heartbeat', endsInSeconds: 239 })
  })

  it('a new heartbeat makes the process ready again', () => {
    const { lines, ends, after } = world()
    after(299)
    watchdog.beat()
    after(60)
    expect(watchdog.readiness().ok).toBe(true)
    expect([lines.length, ends]).toEqual([2, []])
  })

  it('a stopped watchdog reports ready', () => {
    const { ends, after, watchdog } = world()
    watchdog.stop()
    after(0)
    expect([watchdog.readiness().ok, ends]).toEqual([true, []])
  })

  it('a heartbeat that stays away ends the process with 75 and an explanation', () => {
    const { lines, ends, after } = world()
    after(301)
    expect(ends).toEqual([75])
    expect(lines.join('')).toContain('has made no progress for 301 s. What was acknowledged is safe')
  })
})
