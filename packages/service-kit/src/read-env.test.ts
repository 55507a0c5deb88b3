import { OrreryError } from '@orrery/errors'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readEnv } from './read-env.ts'

const Env = z.object({
  ORRERY_PORT: z.coerce.number('Must be a number.').default(8080),
  ORRERY_TOKEN: z.string().min(32, 'Must have at least 32 characters.').describe('`openssl rand -hex 32` makes one'),
  ORRERY_LOG: z.string(),
})

function problems(env: Record<string, string>): OrreryError {
  try {
    readEnv(Env, env)
  } catch (error) {
    if (error instanceof OrreryError) return error
  }
  throw new Error('The environment was accepted.')
}

describe('an environment', () => {
  it('is read with its defaults; variables of other programs do not matter', () => {
    const token = 'x'.repeat(32)
    expect(readEnv(Env, { ORRERY_TOKEN: token, ORRERY_LOG: 'lmdb:log', PATH: '/bin' })).toEqual({
      ORRERY_PORT: 8080,
      ORRERY_TOKEN: token,
      ORRERY_LOG: 'lmdb:log',
    })
  })

  it('that is wrong in several places says all of them at once', () => {
    expect(problems({ ORRERY_PORT: 'x', ORRERY_TOKEN: 'short' })).toMatchObject({
      kind: 'invalid',
      code: 'invalid_environment',
      message: [
        '3 variables of the environment cannot be used. Nothing was started.',
        '  ORRERY_PORT: must be a number.',
        '  ORRERY_TOKEN: must have at least 32 characters. (`openssl rand -hex 32` makes one)',
        '  ORRERY_LOG: is required and not set',
        'Set what is named above and start again.',
      ].join('\n'),
    })
  })

  it('that sets a variable to nothing does not set it', () => {
    expect(problems({ ORRERY_PORT: '', ORRERY_TOKEN: 'x'.repeat(32), ORRERY_LOG: '' }).message).toContain(
      'One variable of the environment cannot be used',
    )
  })

  it('is never repeated in the message: it may hold secrets', () => {
    const error = problems({ ORRERY_PORT: 'hunter2', ORRERY_TOKEN: 'hunter3', ORRERY_LOG: 'x' })
    expect(JSON.stringify([error.message, error.context])).not.toContain('hunter')
  })
})
