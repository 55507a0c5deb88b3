import { describe, expect, it } from 'vitest'
import { assert, OrreryError } from './orrery-error.ts'

describe('an Orrery error', () => {
  it('an error keeps its cause and its context when context is added', () => {
    const cause = new Error('socket closed')
    const low = new OrreryError('unavailable', 'read_model_unreachable', 'No answer.', { context: { port: 1 }, cause })
    const high = low.with({ ledger: 7, port: 2 })
    expect(high).toMatchObject({
      kind: 'unavailable',
      code: 'read_model_unreachable',
      message: 'No answer.',
      context: { ledger: 7, port: 1 },
    })
    expect(high.cause).toBe(cause)
    expect(high.stack).toBe(low.stack)
  })

  it('a failed assertion is a bug', () => {
    expect(() => assert(false, 'ledgers grow', { ledger: 5 })).toThrowError(
      expect.objectContaining({ kind: 'bug', code: 'internal', context: { ledger: 5 } }),
    )
    expect(() => assert(true, 'ledgers grow')).not.toThrow()
  })
})
