// The embedded ClickHouse: a genuine HTTP endpoint on loopback, run by a child process of its own that ends with its parent.
// Its own process group, because ClickHouse signals its whole group when it shuts down, and so that Ctrl-C reaches only the parent,
// which stops the engine last.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { OrreryError } from '@orrery/errors'
import type { ClickHouseAddress } from '../connection.ts'
import { configXml, type ServerLimits, usersXml } from './config-files.ts'
import { type HostUser, keepPasswords, type Passwords } from './credentials.ts'
import { assertPlatform, startError } from './host-error.ts'

export interface HostOptions {
  /** Folder of everything that the engine keeps. Made when it is absent; one engine at a time. */
  readonly dir: string
  /** 0 (default): whichever port is free. */
  readonly httpPort?: number
  /** Native protocol for BI tools; off by default. */
  readonly tcpPort?: number
  /** Database that users may see, and all that begin with its name. Default `orrery`. */
  readonly database?: string
  /** Memory of the engine, bytes. Default 2 GiB. */
  readonly memoryBytes?: number
  /** Keep every statement with its tag in `system.query_log` of this run. */
  readonly queryLog?: boolean
  /** How long another engine may still be leaving the folder: a killed parent's engine needs a moment to notice. Default 30 seconds. */
  readonly folderFreeWithinMs?: number
}

export interface ClickHouseHost extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  readonly database: string
  readonly passwords: Passwords
  /** What `openClickHouse` needs to come in as `user`. */
  address(user: HostUser): ClickHouseAddress
  /** Resolves when the engine is gone: null after `stop`, an error when it went by itself. */
  readonly ended: Promise<OrreryError | null>
  /** Ends the engine. Close connections first: it waits for open sockets, and is killed after three seconds (safe for what was acknowledged). */
  stop(): Promise<void>
}

const START_WITHIN_MS = 60_000
const FOLDER_FREE_WITHIN_MS = 30_000
const STOP_WITHIN_MS = 3_000

/**
 * Starts the engine on `dir` and resolves when it answers.
 *
 * @throws OrreryError `invalid`/`platform_unsupported`, `invalid`/`port_in_use`, `unavailable`/`data_folder_in_use`, `unavailable`/`engine_failed`.
 */
export async function startClickHouseHost(options: HostOptions): Promise<ClickHouseHost> {
  assertPlatform()
  const dir = resolve(options.dir)
  const database = options.database ?? 'orrery'
  const passwords = writeConfig(dir, database, options)
  const patience = AbortSignal.timeout(options.folderFreeWithinMs ?? FOLDER_FREE_WITHIN_MS)
  for (;;) {
    const engine = spawnEngine(dir, options.tcpPort === undefined ? 'HTTP' : 'HTTP,TCP')
    const problem = await ready(engine, dir, options.httpPort ?? 0)
    if (problem === null) return hostOf(engine, dir, database, passwords)
    if (problem.code !== 'data_folder_in_use' || patience.aborted) throw problem
    await delay(100)
  }
}

function writeConfig(dir: string, database: string, options: HostOptions): Passwords {
  mkdirSync(join(dir, 'config'), { recursive: true, mode: 0o700 })
  mkdirSync(join(dir, 'data'), { recursive: true, mode: 0o700 })
  const limits: ServerLimits = { memoryBytes: options.memoryBytes ?? 2 * 1024 ** 3, concurrentQueries: 100 }
  const passwords = keepPasswords(join(dir, 'config', 'passwords.json'))
  const config = configXml({
    httpPort: options.httpPort ?? 0,
    tcpPort: options.tcpPort ?? null,
    logFile: join(dir, 'clickhouse.log'),
    limits,
    queryLog: options.queryLog ?? false,
  })
  writeFileSync(join(dir, 'config', 'config.xml'), config, { mode: 0o600 })
  writeFileSync(join(dir, 'config', 'users.xml'), usersXml(passwords, `${database}*`, limits), { mode: 0o600 })
  return passwords
}

function spawnEngine(dir: string, listeners: string): ChildProcess {
  rmSync(join(dir, 'config', 'port'), { force: true })
  const log = openSync(join(dir, 'engine.log'), 'w', 0o600)
  const script = fileURLToPath(new URL('./engine-process.ts', import.meta.url))
  // No stdin: the engine would read a pipe there as data. No flags of the parent: a debugger's port is taken.
  const child = spawn(process.execPath, [script, join(dir, 'data'), join(dir, 'config'), listeners], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  return child
}

/** Null when the engine answers; otherwise why it will not. */
async function ready(engine: ChildProcess, dir: string, httpPort: number): Promise<OrreryError | null> {
  const deadline = AbortSignal.timeout(START_WITHIN_MS)
  while (!hasEnded(engine) && !deadline.aborted) {
    const port = portOf(dir)
    if (port !== null && (await answers(`http://127.0.0.1:${port}/ping`))) {
      // Log tables of an earlier run: the engine has forgotten them and could not write its new ones beside their files.
      // Not before the start: the folder might have been another engine's.
      rmSync(join(dir, 'data', 'data', 'system'), { recursive: true, force: true })
      return null
    }
    await delay(20)
  }
  await kill(engine)
  return startError(readFileSync(join(dir, 'engine.log'), 'utf8'), dir, httpPort)
}

function hostOf(engine: ChildProcess, dir: string, database: string, passwords: Passwords): ClickHouseHost {
  const url = `http://127.0.0.1:${portOf(dir)}`
  let stopping: Promise<void> | undefined
  const ended = once(engine, 'exit').then(() => (stopping === undefined ? diedAlone(dir) : null))
  // The engine must not keep its parent alive: a parent that has nothing left to do ends, and the engine with it.
  engine.unref()
  engine.channel?.unref()
  const address = (user: HostUser): ClickHouseAddress => ({ url, user, password: passwords[user], database })
  const stop = (): Promise<void> => {
    stopping ??= stopEngine(engine, address('admin'))
    return stopping
  }
  return { url, pid: engine.pid ?? 0, database, passwords, address, ended, stop, [Symbol.asyncDispose]: stop }
}

/** Asks the engine to leave, which ends its merges and closes its files; after a while it is killed, which loses nothing acknowledged. */
async function stopEngine(engine: ChildProcess, { url, user, password }: ClickHouseAddress): Promise<void> {
  if (hasEnded(engine)) return
  const gone = once(engine, 'exit')
  const ask = fetch(url, {
    method: 'POST',
    body: "KILL QUERY WHERE query_id = 'host-keeper' ASYNC",
    headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`, connection: 'close' },
    signal: AbortSignal.timeout(STOP_WITHIN_MS),
  })
  // An engine that does not even hear is killed below.
  await ask.then((response) => response.arrayBuffer()).catch(() => undefined)
  await Promise.race([gone, delay(STOP_WITHIN_MS)])
  await kill(engine)
}

async function kill(engine: ChildProcess): Promise<void> {
  if (hasEnded(engine)) return
  const gone = once(engine, 'exit')
  engine.kill('SIGKILL')
  await gone
}

function hasEnded(engine: ChildProcess): boolean {
  return engine.exitCode !== null || engine.signalCode !== null
}

function portOf(dir: string): number | null {
  const file = join(dir, 'config', 'port')
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8').trim()) : 0
  return port > 0 ? port : null
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { headers: { connection: 'close' } }).then(
    (response) => response.ok,
    () => false, // not yet listening
  )
}

function diedAlone(dir: string): OrreryError {
  return new OrreryError(
    'unavailable',
    'engine_failed',
    `The embedded ClickHouse engine ended by itself. What was written is safe; what the engine said is in ${dir}/engine.log. Start Orrery again.`,
    { context: { dir } },
  )
}
