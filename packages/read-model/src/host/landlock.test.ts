import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { type Allowed, confineThisThread } from './landlock.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-landlock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PROBE = fileURLToPath(new URL('../testing/confined-probe.ts', import.meta.url))

/** What `script` prints as JSON, executed by a process that confined itself to `allowed`. */
async function confined(allowed: Omit<Allowed, 'execute'>, script: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [PROBE, JSON.stringify(allowed), script, ...args], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return JSON.parse(printed)
}

describe.runIf(process.platform === 'linux')('a process that confined itself and then executed a program', () => {
  it('a process that confined itself and then executed a program opens, changes, executes, reaches and signals only what it named, on every thread', async () => {
    for (const name of ['own', 'log', 'other']) mkdirSync(join(folder, name))
    for (const name of ['own', 'log', 'other']) writeFileSync(join(folder, name, 'file'), name)
    const server = createServer().listen(0, '127.0.0.1')
    const abstract = createServer().listen(`\0orrery-${process.pid}`)
    await Promise.all([once(server, 'listening'), once(abstract, 'listening')])
    const { port } = server.address() as { port: number }
    const script = `
      import { spawn } from 'node:child_process'
      import { once } from 'node:events'
      import * as fs from 'node:fs'
      import { connect, createServer } from 'node:net'
      import { Worker } from 'node:worker_threads'
      const [folder, port, parent] = process.argv.slice(1)
      const result = {}
      const attempt = async (name, work) => {
        result[name] = await Promise.resolve().then(work).then((it) => it ?? 'done', (error) => error.code ?? error.message)
      }
      const reached = async (to) => { const socket = connect(to); await once(socket, 'connect'); socket.destroy() }
      const listens = async (port) => { const server = createServer().listen(port, '127.0.0.1'); await once(server, 'listening'); server.close() }
      await attempt('reads its own', () => fs.readFileSync(folder + '/own/file', 'utf8'))
      await attempt('writes its own', () => fs.writeFileSync(folder + '/own/new', 'x'))
      await attempt('reads its log', () => fs.readFileSync(folder + '/log/file', 'utf8'))
      await attempt('writes its log', () => fs.appendFileSync(folder + '/log/file', 'x'))
      await attempt('turns its log over', () => fs.renameSync(folder + '/log/file', folder + '/log/file.0'))
      await attempt('reads another', () => fs.readFileSync(folder + '/other/file', 'utf8'))
      await attempt('writes another', () => fs.writeFileSync(folder + '/other/new', 'x'))
      await attempt('removes another', () => fs.rmSync(folder + '/other/file'))
      await attempt('lists another', () => fs.readdirSync(folder + '/other').length)
      await attempt('takes another for its own', () => fs.linkSync(folder + '/other/file', folder + '/own/linked'))
      await attempt('reads through a link of its own', () => {
        fs.symlinkSync(folder + '/other/file', folder + '/own/symlink')
        return fs.readFileSync(folder + '/own/symlink', 'utf8')
      })
      await attempt('reads its environment', () => fs.readFileSync('/proc/self/environ', 'utf8'))
      await attempt('reads /etc/passwd', () => fs.readFileSync('/etc/passwd', 'utf8').length)
      // Threads that existed before this script, and one that it starts.
      const pool = await Promise.all(Array.from({ length: 16 }, () => fs.promises.readFile(folder + '/other/file').catch((error) => error.code)))
      result['reads another on the threads of a pool'] = [...new Set(pool)].join()
      const worker = new Worker("const { parentPort, workerData } = require('node:worker_threads'); try { require('node:fs').readFileSync(workerData); parentPort.postMessage('done') } catch (error) { parentPort.postMessage(error.code) }", { eval: true, execArgv: [], workerData: folder + '/other/file' })
      result['reads another on a thread of its own'] = (await once(worker, 'message'))[0]
      await attempt('executes a program', async () => { const child = spawn('/bin/true'); await Promise.race([once(child, 'exit'), once(child, 'error').then(([error]) => { throw error })]) })
      await attempt('connects', () => reached({ host: '127.0.0.1', port: Number(port) }))
      await attempt('connects to an abstract socket', () => reached('\\0orrery-' + parent))
      await attempt('listens on a free port', () => listens(0))
      await attempt('listens on a port that it did not name', () => listens(Number(port) === 20001 ? 20002 : 20001))
      await attempt('signals its parent', () => { process.kill(Number(parent), 0) })
      console.log(JSON.stringify(result))`
    const allowed = { read: ['/dev/urandom'], write: [join(folder, 'own'), '/dev/null'], log: [join(folder, 'log')], listenPort: 0 }
    const result = await confined(allowed, script, [folder, String(port), String(process.pid)])
    server.close()
    abstract.close()
    expect(result).toEqual({
      'reads its own': 'own',
      'writes its own': 'done',
      'reads its log': 'EACCES',
      'writes its log': 'done',
      'turns its log over': 'done',
      'reads another': 'EACCES',
      'writes another': 'EACCES',
      'removes another': 'EACCES',
      'lists another': 'EACCES',
      'takes another for its own': 'EXDEV',
      'reads through a link of its own': 'EACCES',
      'reads its environment': 'EACCES',
      'reads /etc/passwd': 'EACCES',
      'reads another on the threads of a pool': 'EACCES',
      'reads another on a thread of its own': 'EACCES',
      'executes a program': 'EACCES',
      connects: 'EACCES',
      'connects to an abstract socket': 'EPERM',
      'listens on a free port': 'done',
      'listens on a port that it did not name': 'EACCES',
      'signals its parent': 'EPERM',
    })
  })

  it('a process that confined itself and then executed a program is not confined when a path that it names is absent, and reports it', () => {
    const allowed = { read: [join(folder, 'absent')], execute: [], write: [], log: [], listenPort: 0 }
    expect(confineThisThread(allowed)).toBe(`there can be no Landlock rule for ${join(folder, 'absent')}`)
    writeFileSync(join(folder, 'anywhere'), 'x')
  })
})
