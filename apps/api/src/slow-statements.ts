// Log lines about slow statements, by route and request. When everything is slow they are many, and writing them would make it slower.

import type { ReadModelOptions } from '@orrery/read-model'
import type { Clock, Logger } from '@orrery/service-kit'

/** When not configured. On a machine that is not busy no statement of the API takes as long. */
export const SLOW_STATEMENT_MS = 1_000

/** Most lines of one period. */
export const LINES_AT_MOST = 20
const PERIOD_MS = 10_000

/**
 * The option of the read model that logs each statement of `fromMs` milliseconds or more; nothing for 0. At most 20 lines in 10 seconds: the first
 * line after them counts what was left out.
 */
export function slowStatements(fromMs: number, logger: Logger, clock: Clock): Pick<ReadModelOptions, 'slow'> {
  if (fromMs === 0) return {}
  let periodEndsMs = 0
  let lines = 0
  let leftOut = 0
  return {
    slow: {
      fromMs,
      report: ({ statement, seconds, tag, succeeded }) => {
        const nowMs = clock.nowMs()
        if (nowMs >= periodEndsMs) {
          periodEndsMs = nowMs + PERIOD_MS
          lines = 0
        }
        if (lines === LINES_AT_MOST) {
          leftOut += 1
          return
        }
        lines += 1
        const request = tag === null ? {} : { route: tag.route, requestId: tag.requestId }
        const omitted = leftOut === 0 ? {} : { leftOut }
        leftOut = 0
        logger.warn({ statement, seconds: Number(seconds.toFixed(3)), succeeded, ...request, ...omitted }, 'A statement was slow')
      },
    },
  }
}
