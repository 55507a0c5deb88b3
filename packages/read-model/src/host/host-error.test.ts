import { expect, it } from 'vitest'
import { startError } from './host-error.ts'

it('a failure of the engine that is not known is reported with its server codes and the log file to look into', () => {
  expect(startError('Code: 9999. something else', '/data', 0)).toMatchObject({
    code: 'engine_failed',
    message: expect.stringContaining('/data/engine.log'),
    context: { serverCodes: '9999' },
  })
})
