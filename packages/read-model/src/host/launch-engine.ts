// The child process before it becomes the engine: it confines its thread, reports the result, and executes the engine, which then is
// confined with all of its threads. Node has threads before the first line of a script runs, so confining the engine's own process
// from within would leave those out; executing a program ends them.
// Usage: node launch-engine.ts <EnginePlan as JSON>, with a pipe to the parent as descriptor 3 and an empty environment.

import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONFINED, type EnginePlan, KEEPER_PIPE, PARENT } from './engine-plan.ts'
import { confineThisThread, keepAcrossExec } from './landlock.ts'
import { makePipe } from './libc.ts'

const text = process.argv[2] ?? ''
const plan = JSON.parse(text) as EnginePlan
const engine = fileURLToPath(new URL('./engine-process.ts', import.meta.url))
makePipe(`${plan.folders.config}/${KEEPER_PIPE}`)
const problem = plan.confine ? confine(plan) : 'it was not asked for'
writeSync(PARENT, `${problem ?? CONFINED}\n`)
if (problem === null) {
  keepAcrossExec(PARENT)
  // The system's OpenSSL configuration is a file that the engine may not read, and Node ends when it cannot.
  process.execve?.(process.execPath, [process.execPath, '--openssl-config=/dev/null', engine, text], {})
}
// Not confined: this process becomes the engine as it is.
if (problem !== null) await import('./engine-process.ts')

function confine({ folders, libchdb, httpPort }: EnginePlan): string | null {
  if (process.platform !== 'linux') return `${process.platform} has no Landlock`
  // Confining this thread without executing the engine would leave the other threads of this process as they are.
  if (process.execve === undefined) return `Node ${process.version} cannot execute a program in its own place`
  const libraries = loadedLibraries()
  return confineThisThread({
    read: [
      folders.config,
      libchdb,
      // The files that Node reads to run the engine's script.
      engine,
      ...['./engine-plan.ts', './thread-statistics.ts', './libc.ts', '../../package.json'].map((file) =>
        fileURLToPath(new URL(file, import.meta.url)),
      ),
      dirname(createRequire(import.meta.url).resolve('ffi-rs')),
      ...libraries.filter((path) => path.endsWith('.node')).map((path) => dirname(path)),
      '/dev/urandom',
      // The engine's measure of its own memory, without which its limits would not hold. The process keeps its number when it executes.
      '/proc/self/statm',
    ],
    execute: [process.execPath, ...libraries],
    write: [folders.data, '/dev/null'],
    // Its own log may quote statements of others.
    log: [folders.run],
    listenPort: httpPort,
  })
}

/** Absolute paths of the shared libraries of this process: the next one is the same program, and the engine needs no others. */
function loadedLibraries(): string[] {
  // Else the report looks up the names of its peers.
  Object.assign(process.report, { excludeNetwork: true })
  const { sharedObjects = [] } = process.report.getReport() as { readonly sharedObjects?: readonly string[] }
  return sharedObjects.filter((path) => path.startsWith('/'))
}
