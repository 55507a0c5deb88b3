import type { ReadModelOptions } from '@orrery/read-model'
import type { Logger } from '@orrery/service-kit'
import { describe, expect, it } from 'vitest'
import { LINES_AT_MOST, slowStatements } from './slow-statements.ts'

const TAG = { route: '/v1/protocols/{id}/tvl', requestId: '0192' }

describe('slow statements', () => {
  const lines: unknown[] = []
  const logger = { warn: (facts: unknown) => lines.push(facts) } as unknown as Logger
  let nowMs = 1_000
  const report = (option: Pick<ReadModelOptions, 'slow'>, seconds: number, tag: typeof TAG | null = TAG): void =>
    option.slow?.report({ statement: 'tvl', seconds, tag, succeeded: true })

  it('are logged with their route and request, and a limited number of them in a time, with the number of those that were left out', () => {
    const option = slowStatements(250, logger, { nowMs: () => nowMs })
    expect(option.slow?.fromMs).toBe(250)
    report(option, 0.25)
    expect(lines).toEqual([{ statement: 'tvl', seconds: 0.25, succeeded: true, route: TAG.route, requestId: TAG.requestId }])
    for (let n = 1; n < LINES_AT_MOST + 7; n++) report(option, 1)
    expect(lines).toHaveLength(LINES_AT_MOST)
    nowMs += 10_000
    report(option, 2.00049, null)
    expect(lines.at(-1)).toEqual({ statement: 'tvl', seconds: 2, succeeded: true, leftOut: 7 })
    report(option, 3)
    expect(lines.at(-1)).not.toHaveProperty('leftOut')
  })

  it('are not measured where the limit is 0', () => {
    expect(slowStatements(0, logger, { nowMs: () => nowMs })).toEqual({})
  })
})
