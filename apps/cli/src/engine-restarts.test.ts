import { OrreryError } from '@orrery/errors'
import { describe, expect, it } from 'vitest'
import { EngineRestarts, isEngineFailure, isRestartable } from './engine-restarts.ts'

describe('restarts of an engine that ended by itself', () => {
  it('restarts of an engine that ended by itself are granted five times within ten minutes, after pauses that double, and then no more', () => {
    const restarts = new EngineRestarts(() => 0)
    expect(Array.from({ length: 7 }, () => restarts.grant())).toEqual([0, 250, 500, 1_000, 2_000, null, null])
    expect(restarts.count).toBe(5)
  })

  it('restarts of an engine that ended by itself are granted again, from the shortest pause on, when the earlier ones are ten minutes old', () => {
    let nowMs = 0
    const restarts = new EngineRestarts(() => nowMs)
    for (let n = 0; n < 5; n++) restarts.grant()
    nowMs = 599_999
    expect(restarts.grant()).toBeNull()
    nowMs = 600_000
    expect([restarts.grant(), restarts.grant()]).toEqual([0, 250])
    expect(restarts.count).toBe(7)
  })

  it('restarts of an engine that ended by itself are for an engine that ended or stopped listening, not for another part that is unavailable', () => {
    const codes = ['engine_failed', 'engine_not_listening', 'store_unreachable']
    expect(codes.map((code) => isEngineFailure(new OrreryError('unavailable', code, 'text')))).toEqual([true, true, false])
    expect(isEngineFailure(new Error('engine_failed'))).toBe(false)
  })

  it('restarts of an engine that ended by itself are granted for a port that is taken only where the service had that port before', () => {
    const taken = new OrreryError('invalid', 'port_taken', 'text')
    expect([isRestartable(taken, 0), isRestartable(taken, 1), isRestartable(new Error('port_taken'), 1)]).toEqual([false, true, false])
  })
})
