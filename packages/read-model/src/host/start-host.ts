// The embedded ClickHouse: a real HTTP endpoint on loopback, run by a separate child process that ends with its parent.
// Its own process group, because ClickHouse signals its whole group when it shuts down, and so that Ctrl-C reaches only the parent,
// which stops the engine last.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { OrreryError } from '@orrery/errors'
import libchdb from 'chdb/libchdb'
import type { ClickHouseAddress } from '../connection.ts'
import { type EngineSecrets, type HostUser, keepAnalystPassword, makeSecrets, PASSWORDS_FILE, SECRET_HEADER } from './credentials.ts'
import { deleteConfig, makeFolders, writeConfig } from './engine-files.ts'
import { CONFINED, type EngineFolders, type EnginePlan, KEEPER_PIPE, PARENT, PORT_FILE } from './engine-plan.ts'
import { type EngineWatch, watchEngine } from './engine-watch.ts'
import { type Gate, openGate } from './gate.ts'
import { assertPlatform, gateError, startError } from './host-error.ts'
import { discardUnwritten } from './unwritten-tables.ts'

export interface HostOptions {
  /** The engine's data folder. Made when it is absent; one engine at a time. */
  readonly dir: string
  /** 0 (default): whichever port is free. */
  readonly httpPort?: number
  /** Port of the analyst's address. 0 (default): whichever port is free. */
  readonly analystPort?: number
  /** Database that users may see, and all that begin with its name. Default `orrery`. */
  readonly database?: string
  /** Memory of the engine, bytes. Default 2 GiB. */
  readonly memoryBytes?: number
  /** Keep every statement with its tag in `system.query_log` of this run. */
  readonly queryLog?: boolean
  /** Every acknowledged insert is on the disk. Default true; false leaves it to the OS, so that a power loss may lose rows and keep their checkpoint. */
  readonly syncs?: boolean
  /** How long another engine may still be leaving the folder: a killed parent's engine needs a moment to notice. Default 30 seconds. */
  readonly folderFreeWithinMs?: number
  /** How long the engine's port may refuse connections before the engine is given up. Default 30 seconds. */
  readonly refusedForMs?: number
  /** Open the analyst's address also where the engine cannot be confined, so that an analyst reads every file that this process may read. */
  readonly allowUnconfinedAnalyst?: boolean
  /** False leaves the engine unconfined where it could be confined. For tests. */
  readonly confine?: boolean
}

export interface ClickHouseHost extends AsyncDisposable {
  /** The engine's own listener, which answers nothing without a secret. */
  readonly url: string
  readonly pid: number
  readonly database: string
  /** The address and secret of `user` for `openClickHouse`, for Orrery's own processes. */
  address(user: HostUser): ClickHouseAddress
  /** The address for people and their tools, by user and password; null when the engine is not confined. */
  readonly analyst: ClickHouseAddress | null
  /** Why the engine's process may open files and connections that are not its own; null when it is confined. */
  readonly unconfined: string | null
  /** Whether the engine answered within the last seconds, and why it did not. */
  readiness(): { readonly ok: boolean; readonly why: string }
  /** Resolves when the engine has ended or its port is closed: null after `stop`, else an error. */
  readonly ended: Promise<OrreryError | null>
  /** Ends the engine. Close connections first: it waits for open sockets, and is killed after three seconds (safe for what was acknowledged). */
  stop(): Promise<void>
}

const ENGINE_LOG = 'engine.log'
const START_WITHIN_MS = 60_000
const FOLDER_FREE_WITHIN_MS = 30_000
const REFUSED_FOR_MS = 30_000
const STOP_WITHIN_MS = 3_000

/**
 * Starts the engine on `dir` and resolves when it answers.
 *
 * @throws OrreryError `invalid`/`platform_unsupported`, `invalid`/`port_in_use`, `corrupt`/`embedded_secrets_unreadable`,
 * `corrupt`/`table_definition_empty`, `unavailable`/`data_folder_in_use`, `unavailable`/`engine_failed`.
 */
export async function startClickHouseHost(options: HostOptions): Promise<ClickHouseHost> {
  assertPlatform()
  const dir = resolve(options.dir)
  const folders = makeFolders(dir)
  const password = keepAnalystPassword(join(dir, PASSWORDS_FILE), join(folders.config, PASSWORDS_FILE))
  keepLogOfEarlierRun(dir)
  const deadline = AbortSignal.timeout(options.folderFreeWithinMs ?? FOLDER_FREE_WITHIN_MS)
  for (;;) {
    // Made for each attempt: the configuration is deleted after every engine, also one that did not start.
    const secrets = makeSecrets()
    writeConfig(dir, folders, options, secrets)
    const engine = spawnEngine(dir, folders, options)
    const report = await reportOf(engine)
    const keeper = await ready(engine, dir, folders, options.httpPort ?? 0, secrets)
    deleteConfig(folders)
    if (typeof keeper === 'number') {
      const url = `http://127.0.0.1:${portOf(folders)}`
      const unconfined = report === CONFINED ? null : report || 'it did not report'
      return hostOf({ engine, dir, url, secrets, unconfined, keeper }, options, password)
    }
    const problem = keeper
    if (problem.code === 'table_definition_empty' && discardUnwritten(folders.data)) continue
    if (problem.code !== 'data_folder_in_use' || deadline.aborted) throw problem
    await delay(100)
  }
}

/** The output of an engine's process shows why it ended: the next engine must not overwrite it. */
function keepLogOfEarlierRun(dir: string): void {
  const log = join(dir, ENGINE_LOG)
  if (existsSync(log)) renameSync(log, join(dir, 'engine.previous.log'))
}

function spawnEngine(dir: string, folders: EngineFolders, { httpPort = 0, confine = true }: HostOptions): ChildProcess {
  rmSync(join(folders.run, PORT_FILE), { force: true })
  const log = openSync(join(dir, ENGINE_LOG), 'w', 0o600)
  const script = fileURLToPath(new URL('./launch-engine.ts', import.meta.url))
  const plan: EnginePlan = { folders, libchdb: libchdb.libchdbPath(), httpPort, confine }
  // No environment: this process's may hold secrets. No stdin: the engine would read a pipe there as data.
  const child = spawn(process.execPath, [script, JSON.stringify(plan)], { detached: true, env: {}, stdio: ['ignore', log, log, 'pipe'] })
  pipeOf(child).on('error', () => undefined) // its end reports the same
  closeSync(log)
  return child
}

function pipeOf(engine: ChildProcess): Socket {
  return engine.stdio[PARENT] as Socket // 'pipe' above
}

/** What the launcher reports before it executes the engine; '' when it ended before it could. */
async function reportOf(engine: ChildProcess): Promise<string> {
  const pipe = pipeOf(engine)
  const ended = once(pipe, 'close').then(() => [''])
  const [report] = (await Promise.race([once(pipe, 'data'), ended]).catch(() => [''])) as [Buffer | string]
  return report.toString().trim()
}

/** The pipe that keeps the engine running, when it answers; otherwise why it will not. */
async function ready(
  engine: ChildProcess,
  dir: string,
  folders: EngineFolders,
  httpPort: number,
  secrets: EngineSecrets,
): Promise<number | OrreryError> {
  const deadline = AbortSignal.timeout(START_WITHIN_MS)
  let keeper: number | null = null
  let isReady = false
  try {
    while (!hasEnded(engine) && !deadline.aborted) {
      const port = portOf(folders)
      keeper ??= port === null ? null : openKeeper(folders)
      if (keeper !== null && (await answers(`http://127.0.0.1:${port}`, secrets))) {
        // Log tables of an earlier run: the engine does not know them and could not write its new ones beside their files.
        // Not before the start: the folder might have been another engine's.
        rmSync(join(folders.data, 'data', 'system'), { recursive: true, force: true })
        isReady = true
        return keeper
      }
      await delay(20)
    }
  } finally {
    if (!isReady) {
      await kill(engine)
      if (keeper !== null) closeSync(keeper)
    }
  }
  return startError(readFileSync(join(dir, ENGINE_LOG), 'utf8'), dir, httpPort)
}

interface StartedEngine {
  readonly engine: ChildProcess
  readonly dir: string
  readonly url: string
  readonly secrets: EngineSecrets
  /** Null when it is confined. */
  readonly unconfined: string | null
  /** Descriptor of the pipe whose end stops the engine. */
  readonly keeper: number
}

async function hostOf(started: StartedEngine, options: HostOptions, password: string): Promise<ClickHouseHost> {
  const { engine, dir, url, secrets, unconfined } = started
  const database = options.database ?? 'orrery'
  let stopping: Promise<void> | undefined
  const watch = watchEngine({
    dir,
    refusedForMs: options.refusedForMs ?? REFUSED_FOR_MS,
    check: (signal) => pingEngine(url, secrets, signal),
  })
  const exited = once(engine, 'exit').then(() => (stopping === undefined ? diedAlone(dir) : null))
  const ended = Promise.race([exited, watch.givenUp])
  // The engine must not keep its parent running: a parent that has nothing left to do ends, and the engine with it.
  engine.unref()
  pipeOf(engine).unref()

  const account = { user: 'analyst', password }
  const isOpen = unconfined === null || options.allowUnconfinedAnalyst === true
  const analystPort = options.analystPort ?? 0
  const gate = isOpen
    ? await openGate({ engineUrl: url, port: analystPort, accounts: [{ ...account, secret: secrets.analyst }] }).catch(async (cause) => {
        watch.stop()
        await kill(engine) // nothing was written yet
        closeSync(started.keeper)
        throw gateError(cause, analystPort)
      })
    : null
  const stop = (): Promise<void> => {
    stopping ??= stopHost(started, watch, gate)
    return stopping
  }
  return {
    ...{ url, pid: engine.pid ?? 0, database, unconfined, ended, stop, [Symbol.asyncDispose]: stop },
    address: (user) => ({ url, user, password: '', headers: { [SECRET_HEADER]: secrets[user] }, database }),
    analyst: gate === null ? null : { url: gate.url, ...account, database },
    readiness: () => ({ ok: watch.problem() === null, why: watch.problem() ?? '' }),
  }
}

async function stopHost({ engine, keeper }: StartedEngine, watch: EngineWatch, gate: Gate | null): Promise<void> {
  watch.stop()
  await gate?.stop()
  await stopEngine(engine, keeper)
}

/** Asks the engine to stop, which ends its merges and closes its files; after a while it is killed, which loses no acknowledged row. */
async function stopEngine(engine: ChildProcess, keeper: number): Promise<void> {
  closeSync(keeper)
  if (hasEnded(engine)) return
  engine.ref() // else the process could end before the engine has, with this promise unsettled
  await Promise.race([once(engine, 'exit'), delay(STOP_WITHIN_MS)])
  await kill(engine)
}

async function kill(engine: ChildProcess): Promise<void> {
  if (hasEnded(engine)) return
  engine.ref() // as above: `hostOf` released it
  const gone = once(engine, 'exit')
  engine.kill('SIGKILL')
  await gone
}

function hasEnded(engine: ChildProcess): boolean {
  return engine.exitCode !== null || engine.signalCode !== null
}

/** Opens the pipe that the engine waits at; null as long as it does not. @throws any other error of opening a file. */
function openKeeper({ config }: EngineFolders): number | null {
  try {
    return openSync(join(config, KEEPER_PIPE), constants.O_WRONLY | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return null // the pipe has no reader yet
    throw error
  }
}

function portOf({ run }: EngineFolders): number | null {
  const file = join(run, PORT_FILE)
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8').trim()) : 0
  return port > 0 ? port : null
}

function answers(url: string, secrets: EngineSecrets): Promise<boolean> {
  return pingEngine(url, secrets, AbortSignal.timeout(START_WITHIN_MS)).then(
    () => true,
    () => false, // not yet listening
  )
}

/** The cheapest statement, as the user of `orrery status`. @throws when it is not answered. */
async function pingEngine(url: string, secrets: EngineSecrets, signal: AbortSignal): Promise<void> {
  const headers = { [SECRET_HEADER]: secrets.status, connection: 'close' }
  const response = await fetch(`${url}/?query=SELECT+1`, { headers, signal })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`status ${response.status}`)
}

function diedAlone(dir: string): OrreryError {
  return new OrreryError(
    'unavailable',
    'engine_failed',
    `The embedded ClickHouse engine ended by itself. What was written is safe; the engine's output is in ${dir}/${ENGINE_LOG} until the next start, then in engine.previous.log. Start Orrery again.`,
    { context: { dir } },
  )
}
