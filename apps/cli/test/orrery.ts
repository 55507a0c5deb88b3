// The command line as a child process, as people run it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { compiledFolder } from '@orrery/testkit'
import { type ContentsOptions, viewContents } from './view-contents.ts'

const BIN = fileURLToPath(new URL('../bin/orrery.mjs', import.meta.url))

/** With compiled modules of earlier starts, which Node checks against their source, a command takes 0.4 s of CPU instead of 0.75. */
const NODE_COMPILE_CACHE = compiledFolder

export interface Ready {
  readonly event: 'ready'
  readonly url: string
  readonly internalUrl: string
  readonly clickhouseUrl: string
  readonly apiKey: string
  readonly apiKeyFile: string
  readonly adminToken: string
  readonly organization: string
  readonly userEmail: string
  readonly userPasswordFile: string
}

export class Orrery implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly exited: Promise<number | null>
  #hasExited = false
  stderr = ''

  /** `bin`: the start file of another build. */
  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = '', bin = BIN) {
    // None of the caller's own options; nothing that changes what Node runs.
    this.#child = spawn(process.execPath, [bin, ...args], {
      env: { PATH: '', HOME: '/nowhere', NODE_COMPILE_CACHE, ...env },
      stdio: [stdin === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    this.#child.stdin?.end(stdin)
    this.exited = once(this.#child, 'close').then(([code]) => {
      this.#hasExited = true
      return code
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
    })
    if (this.#child.stdout === null) throw new Error('stdout is a pipe')
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The next line of stdout, or null at its end. */
  async line(): Promise<string | null> {
    const next = await this.#lines.next()
    return next.done === true ? null : next.value
  }

  /** The next line of stdout as JSON. */
  async result<T>(): Promise<T> {
    const line = await this.line()
    if (line === null) throw new Error(`orrery ended with ${await this.exited}: ${this.stderr}`)
    return JSON.parse(line)
  }

  /** The first group of `pattern` on stderr, now or later, after its first `heard` characters. */
  async waitForStderr(pattern: RegExp, heard = 0): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.stderr.slice(heard))?.[1]
      if (found !== undefined) return found
      if (this.#child.stderr === null || this.#hasExited) throw new Error(`stderr of orrery never matched ${pattern}: ${this.stderr}`)
      await Promise.race([once(this.#child.stderr, 'data'), this.exited])
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGKILL')
    await this.exited
  }
}

/** Arguments of `orrery up --json` on a lake and a data folder of a test's own, on any free ports. */
export function upArguments(lake: { readonly registry: string; readonly directory: string }, data: string): string[] {
  return [
    ...['up', '--json', '--port', '0', '--internal-port', '0'],
    ...['--network', lake.registry, '--lake', lake.directory, '--data', data],
  ]
}

/** Indexes what is left, reads every view, and stops it. */
export async function contentsAfter(args: readonly string[], options: ContentsOptions = {}): Promise<Record<string, string>> {
  await using run = new Orrery(args)
  const { clickhouseUrl } = await run.result<Ready>()
  await run.result()
  const contents = await viewContents(clickhouseUrl, 'orrery', options)
  run.signal('SIGTERM')
  const code = await run.exited
  if (code !== 0) throw new Error(`orrery stopped with ${code}: ${run.stderr}`)
  return contents
}

/** Runs to the end. */
export async function orrery(
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
  stdin?: string,
  bin?: string,
): Promise<{ code: number | null; stdout: string[]; stderr: string }> {
  await using run = new Orrery(args, env, stdin, bin)
  const stdout: string[] = []
  for (let line = await run.line(); line !== null; line = await run.line()) stdout.push(line)
  const code = await run.exited
  return { code, stdout, stderr: run.stderr }
}

/** Whether a process that ended had written that its index had caught up. Reads its output to the end. */
export async function hasCaughtUp(run: Orrery): Promise<boolean> {
  for (let line = await run.line(); line !== null; line = await run.line()) {
    if (line.includes('"caught_up"')) return true
  }
  return false
}
