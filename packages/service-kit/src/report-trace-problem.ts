// What the log says when traces cannot be sent. Nothing waits for them: requests and ledgers are handled as without traces.

import type { Logger } from './logger.ts'

export function reportTraceProblem(logger: Logger): (reason: string) => void {
  return (reason) => logger.warn({ reason }, 'Could not send traces; the spans of this batch are lost, and nothing else')
}
