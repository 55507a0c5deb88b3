// A logger of a test that keeps its lines.

import { createLogger, type Logger } from '@orrery/service-kit'

export interface LogLines {
  readonly logger: Logger
  /** As JSON. */
  readonly lines: readonly string[]
}

export function logLines(): LogLines {
  const lines: string[] = []
  return {
    lines,
    logger: createLogger({ name: 'test', level: 'trace', json: true, to: { write: (line: string) => void lines.push(line) } }),
  }
}
