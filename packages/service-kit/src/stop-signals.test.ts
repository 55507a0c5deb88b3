import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'

const here = (file: string) => new URL(file, import.meta.url).href

/** A process that runs the given drain function and prints to stdout when it listens for signals. */
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
  it.each(['SIGINT', 'SIGTERM'] as const)('%s drains, logs that and ends the process with 0', async (signal) => {
    const { running, log, ended } = await started('process.stdout.write(signal)')
    const said = text(running.stdout)
    running.kill(signal)
    expect(await ended).toEqual([0, null])
    expect(await said).toBe(signal)
    expect(await log).toMatch(/Stopping: finishing work in progress[\s\S]*Stopped/)
  })

  it('a failed drain ends the process with 1 and the reason', async () => {
    const { running, log, ended } = await started("throw new Error('disk full')")
    running.kill('SIGTERM')
    expect(await ended).toEqual([1, null])
    expect(await log).toMatch(/disk full[\s\S]*Failed to stop cleanly/)
  })
})

describe('the second signal', () => {
  it('a second signal ends the process at once with 130', async () => {
    const { running, log, ended } = await started("process.stdout.write('draining'); await new Promise(() => {})")
    running.kill('SIGINT')
    await once(running.stdout, 'data')
    running.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(await log).toMatch(/Ended at once/)
  })
})
