import { createLogger } from '@orrery/service-kit'
import { describe, expect, it } from 'vitest'
import { LOOK_EVERY_MS, ProgressLog } from './progress-log.ts'

const FIRST = 1_000

/** A source whose newest ledger is `tip`, and ingest, which looks every ten seconds. */
function anIngest() {
  const lines: Record<string, unknown>[] = []
  const at = { ms: 0, ledger: FIRST, tip: FIRST }
  const log = new ProgressLog({
    clock: { nowMs: () => at.ms },
    logger: createLogger({ name: 'test', level: 'info', json: true, to: { write: (line) => lines.push(JSON.parse(line)) } }),
    progress: () => ({ ledger: at.ledger, tip: at.tip, firstLedger: FIRST, ledgersPerSecond: 0, secondsLeft: null, records: 0 }),
    isAtTip: () => at.ledger === at.tip,
  })
  const looks = (count: number, ledgersEach: number): void => {
    for (let n = 0; n < count; n++) {
      at.ms += LOOK_EVERY_MS
      at.ledger = Math.min(at.ledger + ledgersEach, at.tip)
      log.look()
    }
  }
  return { lines, at, looks }
}

describe('the log of ingest', () => {
  it('has a line every ten seconds while ingest reads history', () => {
    const { lines, at, looks } = anIngest()
    at.tip = FIRST + 1_000_000
    looks(6, 5_000)
    expect(lines.map(({ msg, ledger }) => [msg, ledger])).toEqual(
      [6_000, 11_000, 16_000, 21_000, 26_000, 31_000].map((ledger) => ['Read ledgers', ledger]),
    )
  })

  it('has 1,440 lines in a day at the tip of a network that closes a ledger every five seconds', () => {
    const { lines, at, looks } = anIngest()
    for (let n = 0; n < 8_640; n++) {
      at.tip += 2
      looks(1, 2)
    }
    expect(lines).toHaveLength(1_440)
    expect(lines.at(-1)).toMatchObject({ ledger: FIRST + 17_280, tip: FIRST + 17_280 })
  })

  it('has no line while no ledger comes, and one at once when ingest is behind again', () => {
    const { lines, at, looks } = anIngest()
    looks(100, 0)
    expect(lines).toHaveLength(0)
    at.tip += 1
    looks(1, 1)
    expect(lines).toHaveLength(1)
    at.tip += 1_000
    looks(1, 100)
    expect(lines).toHaveLength(2)
  })
})
