import { spawnSync } from 'node:child_process'
import { OrreryError } from '@orrery/errors'
import { describe, expect, it } from 'vitest'
import { createLogger, SECRET_FIELDS } from './logger.ts'

function lines(json: boolean) {
  const written: string[] = []
  return { written, logger: createLogger({ name: 'test', level: 'debug', json, to: { write: (line: string) => void written.push(line) } }) }
}

describe('a log line', () => {
  it('a log line is one JSON object with a name, a time and fields', () => {
    const { written, logger } = lines(true)
    logger.info({ protocol: 'soroswap', rows: 3 }, 'Wrote a batch')
    expect(written).toHaveLength(1)
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ level: 30, name: 'test', protocol: 'soroswap', rows: 3, msg: 'Wrote a batch' })
  })

  it('a log line has the kind, code and context of an error', () => {
    const { written, logger } = lines(true)
    logger.error({ err: new OrreryError('corrupt', 'log_gap', 'A gap.', { context: { ledger: 7, offset: 9n } }) }, 'Failed')
    expect(JSON.parse(written[0] ?? '').err).toMatchObject({
      kind: 'corrupt',
      code: 'log_gap',
      message: 'A gap.',
      context: { ledger: 7, offset: 9 },
    })
  })

  it.each(SECRET_FIELDS)('a log line never shows %s, at the top or in a nested field', (field) => {
    for (const json of [true, false]) {
      const { written, logger } = lines(json)
      logger.info({ [field]: 'hunter2', request: { [field]: 'hunter2', headers: { [field]: 'hunter2' } } }, 'Answered')
      expect(written.join('')).not.toContain('hunter2')
      expect(written.join('')).toContain('[redacted]')
    }
  })

  it('a readable line has the time, the level, the sentence and the fields', () => {
    const { written, logger } = lines(false)
    logger.warn({ protocol: 'soroswap', reason: 'two words', gap: { after: 1 } }, 'Skipped a slice')
    expect(written[0]).toMatch(
      /^\[\d\d:\d\d:\d\d\] WARN \(test\): Skipped a slice \{"protocol":"soroswap","reason":"two words","gap":\{"after":1\}\}\n$/,
    )
  })

  it('a readable line shows the stack of an error', () => {
    const { written, logger } = lines(false)
    logger.error({ err: new Error('lost') }, 'Failed')
    expect(written[0]).toMatch(/Failed \n[\s\S]*Error: lost\n +at /)
  })
})

it('a logger writes nothing to stdout', () => {
  const program = `
    import { createLogger } from '${new URL('./logger.ts', import.meta.url)}'
    createLogger({ name: 'a', level: 'info', json: true }).info('One')
    createLogger({ name: 'b', level: 'info', json: false }).fatal('Two')
    process.exit(3)`
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect([stdout, status]).toEqual(['', 3])
  expect(stderr.split('\n')).toEqual([expect.stringContaining('"msg":"One"'), expect.stringContaining('FATAL (b): Two'), ''])
})
