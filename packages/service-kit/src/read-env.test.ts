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
  it('an environment is read with its defaults, and variables of other programs are ignored', () => {
    const token = 'x'.repeat(32)
    expect(readEnv(Env, { ORRERY_TOKEN: token, ORRERY_LOG: 'lmdb:log', PATH: '/bin' })).toEqual({
      ORRERY_PORT: 8080,
      ORRERY_TOKEN: token,
      ORRERY_LOG: 'lmdb:log',
    })
  })

  it('all problems of an environment are reported at once', () => {
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

  it('an empty variable counts as not set', () => {
    expect(problems({ ORRERY_PORT: '', ORRERY_TOKEN: 'x'.repeat(32), ORRERY_LOG: '' }).message).toContain(
      'One variable of the environment cannot be used',
    )
  })

  it('values of variables never appear in the message, because they may be secrets', () => {
    const error = problems({ ORRERY_PORT: 'hunter2', ORRERY_TOKEN: 'hunter3', ORRERY_LOG: 'x' })
    expect(JSON.stringify([error.message, error.context])).not.toContain('hunter')
  })
})
