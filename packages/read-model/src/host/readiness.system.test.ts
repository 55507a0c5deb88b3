import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { closeListener } from '../testing/close-listener.ts'
import { type ClickHouseHost, startClickHouseHost } from './start-host.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-readiness-'))
let host: ClickHouseHost | undefined
afterEach(() => host?.stop())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.runIf(process.platform === 'linux')('an engine that runs and no longer listens', () => {
  it('an engine that runs and no longer listens is not ready, and is given up after the allowed time with a message that names the next step', async () => {
    host = await startClickHouseHost({ dir: join(folder, 'given-up'), refusedForMs: 1_000 })
    expect(host.readiness()).toEqual({ ok: true, why: '' })
    closeListener(host.pid, Number(new URL(host.url).port))
    expect(await host.ended).toMatchObject({
      kind: 'unavailable',
      code: 'engine_not_listening',
      message: expect.stringMatching(/has refused connections for 1 s. What was written is safe.*Start Orrery again/),
    })
    expect(host.readiness()).toEqual({ ok: false, why: 'ClickHouse does not answer (ECONNREFUSED)' })
    process.kill(host.pid, 0) // it runs
    await host.stop()
    expect(() => process.kill(host?.pid ?? 0, 0)).toThrow('ESRCH')
  })
})

describe('an engine that hangs', () => {
  it('an engine that hangs is not ready while it hangs, and ready again when it continues', async () => {
    host = await startClickHouseHost({ dir: join(folder, 'hangs') })
    process.kill(host.pid, 'SIGSTOP')
    await expect.poll(host.readiness).toEqual({ ok: false, why: 'ClickHouse does not answer (no answer within 2 s)' })
    process.kill(host.pid, 'SIGCONT')
    await expect.poll(host.readiness).toEqual({ ok: true, why: '' })
  })

  it('an engine that hangs when it is asked to stop is killed, and the process that waits for it goes on until then', async () => {
    const script = fileURLToPath(new URL('../testing/stop-hanging-engine.ts', import.meta.url))
    expect(await promisify(execFile)(process.execPath, [script, join(folder, 'hangs-at-the-end')])).toMatchObject({ stdout: 'stopped\n' })
  })
})
