// Leaves out the files of tests that would begin after ORRERY_TEST_UNTIL (seconds since 1970; empty: no limit), so that a run on a slow machine ends
// in time with what it has found. Each of those files has one skipped test, which the last lines of the run count.

import { TestRunner, test } from 'vitest'

const untilMs = Number(process.env.ORRERY_TEST_UNTIL || Number.POSITIVE_INFINITY) * 1_000

export default class TimeLimitRunner extends TestRunner {
  override importFile(filepath: string, source: 'collect' | 'setup'): unknown {
    const isOver = source === 'collect' && Date.now() >= untilMs
    if (!isOver) return super.importFile(filepath, source)
    return test.skipIf(isOver)('the file would have begun after the time limit of the run', () => {})
  }
}
