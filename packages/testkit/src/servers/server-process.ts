// A third-party server as a child process, which a test starts and stops. Tests that need one fail without it, with the reason and the way
// out; they are never skipped.

import { type ChildProcess, spawn } from 'node:child_process'

export interface ServerCommand {
  /** Its usual name: `PostgreSQL`. */
  readonly name: string
  /** Program, or its path. */
  readonly program: string
  readonly args: readonly string[]
  /** Another user to run as: PostgreSQL refuses to run as root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  /** The whole environment. Not given: that of the test. */
  readonly env?: Readonly<Record<string, string>>
  /** A line of its output that shows that it accepts connections. */
  readonly ready: RegExp
  /** How to install the program: `apt-get install redis-server`. */
  readonly install: string
}

export interface ServerProcess extends AsyncDisposable {
  /** Ends it with the signal and waits until it has ended. Does nothing when it has ended already. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Only for a server that hangs: a busy machine may be slow. */
const READY_WITHIN_MS = 300_000

/** Resolves once the server is ready. */
export async function startServer(command: ServerCommand): Promise<ServerProcess> {
  const { name, program, args, user, env, ready, install } = command
  const child = spawn(program, [...args], { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', ...user, ...(env !== undefined && { env }) })
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const refuse = (why: string) =>
      reject(new Error(`${name} could not be started (${why}). This test needs a real one: ${install}.\n${output}`))
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      refuse(`not ready after ${READY_WITHIN_MS} ms`)
    }, READY_WITHIN_MS)
    const listen = (text: Buffer) => {
      output += text.toString()
      if (!ready.test(output)) return
      clearTimeout(late)
      resolve()
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('error', (cause) => refuse(cause.message))
    // Not on its exit: its last output may not have arrived yet.
    child.once('close', (code) => {
      clearTimeout(late)
      refuse(`it ended with ${code}`)
    })
  })
  const end = (signal: NodeJS.Signals) => endProcess(child, signal, gone)
  return { end, [Symbol.asyncDispose]: () => end('SIGKILL') }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals, gone: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  await gone
}
