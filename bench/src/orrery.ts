// `orrery up` as in normal use, in a separate process: started on a folder, watched, read by its metrics, stopped.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { childrenOf } from './process-usage.ts'

const PROGRAM = fileURLToPath(new URL('../../apps/cli/bin/orrery.mjs', import.meta.url))
/** As in the scripts of the repository and in its image. */
const NODE_OPTIONS = ['--max-semi-space-size=16']
const ENVIRONMENT = ['MALLOC_ARENA_MAX=1']

/** Those of earlier figures: the demo has one for each protocol otherwise, and a record that several share counts once in each. */
export const FOUR_PARTITIONS = ['--partitions', '4'] as const

/** A new index has only this one. */
export const FIRST_INDEX_VERSION = 1

export interface ReadyEvent {
  readonly url: string
  readonly internalUrl: string
  /** With the analyst's name and password. */
  readonly clickhouseUrl: string
  readonly apiKey: string
  readonly organization: string
}

export interface CaughtUpEvent {
  readonly ledger: number
  readonly firstLedger: number
  readonly rows: number
  readonly durationSeconds: number
}

export interface Orrery extends AsyncDisposable {
  readonly pid: number
  readonly ready: ReadyEvent
  /** Process id of the embedded engine. */
  readonly enginePid: number
  caughtUp(): Promise<CaughtUpEvent>
  /** Every sample of `/metrics`, `name{labels}` to value. */
  metrics(): Promise<ReadonlyMap<string, number>>
}

/** Starts on the folder `data` with the demo network, or with the options in `args`. */
export async function startOrrery(data: string, args: readonly string[] = []): Promise<Orrery> {
  const child = spawn(
    'env', // which becomes that process
    [
      ...ENVIRONMENT,
      process.execPath,
      ...NODE_OPTIONS,
      PROGRAM,
      'up',
      '--json',
      '--log-level',
      'warn',
      '--port',
      '0',
      '--internal-port',
      '0',
      '--data',
      data,
      ...args,
    ],
    // A process that ends during a measurement says why.
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const event = async <Event>(name: string): Promise<Event> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`orrery up ended before it was ${name}. Run it by hand on ${data} to see why.`)
      const line = JSON.parse(value) as { readonly event?: string }
      if (line.event === name) return line as Event
    }
  }
  const ready = await event<ReadyEvent>('ready')
  const pid = child.pid ?? 0
  return {
    pid,
    ready,
    enginePid: engineOf(pid),
    caughtUp: () => event<CaughtUpEvent>('caught_up'),
    metrics: async () => samples(await (await fetch(`${ready.internalUrl}/metrics`)).text()),
    [Symbol.asyncDispose]: () => stop(child),
  }
}

function engineOf(pid: number): number {
  const [engine, ...others] = childrenOf(pid).flatMap((child) => [child, ...childrenOf(child)])
  if (engine === undefined) throw new Error(`Process ${pid} has no engine.`)
  return others.at(-1) ?? engine
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

function samples(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const line of text.split('\n')) {
    const space = line.lastIndexOf(' ')
    if (space > 0 && !line.startsWith('#')) found.set(line.slice(0, space), Number(line.slice(space + 1)))
  }
  return found
}

/** Sum of a metric over its labels. */
export function total(metrics: ReadonlyMap<string, number>, name: string): number {
  let sum = 0
  for (const [sample, value] of metrics) if (sample === name || sample.startsWith(`${name}{`)) sum += value
  return sum
}
