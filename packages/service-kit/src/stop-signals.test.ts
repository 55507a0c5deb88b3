import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'

const here = (file: string) => new URL(file, import.meta.url).href

/** A process that drains as told and says on stdout when it is listening to signals. */
function program(drain: string): string {
  return `
    import { createLogger } from '${here('./logger.ts')}'
    import { onStopSignals } from '${here('./stop-signals.ts')}'
    onStopSignals(async (signal) => { ${drain} }, createLogger({ name: 'test', level: 'info', json: true }))
    setInterval(() => {}, 60_000)
    process.stdout.write('up\\n')`
}

let child: ChildProcess
afterEach(() => {
  child.kill('SIGKILL')
})

async function started(drain: string) {
  const running = spawn(process.execPath, ['--input-type=module', '--eval', program(drain)], { stdio: ['ignore', 'pipe', 'pipe'] })
  child = running
  const log = text(running.stderr)
  const ended = once(running, 'exit')
  await once(running.stdout, 'data')
  return { running, log, ended }
}

describe('the first signal', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s drains, says so and ends with 0', async (signal) => {
    const { running, log, ended } = await started('process.stdout.write(signal)')
    const said = text(running.stdout)
    running.kill(signal)
    expect(await ended).toEqual([0, null])
    expect(await said).toBe(signal)
    expect(await log).toMatch(/Began to stop: work in hand is being finished[\s\S]*Stopped/)
  })

  it('ends with 1 and the reason when draining fails', async () => {
    const { running, log, ended } = await started("throw new Error('disk full')")
    running.kill('SIGTERM')
    expect(await ended).toEqual([1, null])
    expect(await log).toMatch(/disk full[\s\S]*Failed to stop cleanly/)
  })
})

describe('the second signal', () => {
  it('leaves at once with 130', async () => {
    const { running, log, ended } = await started("process.stdout.write('draining'); await new Promise(() => {})")
    running.kill('SIGINT')
    await once(running.stdout, 'data')
    running.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(await log).toMatch(/Left at once/)
  })
})
