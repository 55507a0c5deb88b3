// Checks every five seconds whether the engine answers, so that a readiness probe costs no query, and an engine that runs but no longer
// listens is detected.

import { setTimeout as delay } from 'node:timers/promises'
import { OrreryError } from '@orrery/errors'

export interface WatchOptions {
  /** Sends the engine a cheap statement; rejects when it does not answer. */
  readonly check: (signal: AbortSignal) => Promise<void>
  /** How long its port may refuse connections before it is given up. */
  readonly refusedForMs: number
  readonly everyMs?: number
  /** Named in the failure. */
  readonly dir: string
}

export interface EngineWatch {
  /** Null when the engine answered the last check; otherwise why it did not. */
  problem(): string | null
  /** Resolves when the port has refused connections for that long; never when the watch is stopped before. */
  readonly givenUp: Promise<OrreryError>
  stop(): void
}

const ANSWER_WITHIN_MS = 2_000

export function watchEngine({ check, refusedForMs, everyMs = 5_000, dir }: WatchOptions): EngineWatch {
  const stopping = new AbortController()
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<OrreryError>()
  let problem: string | null = null
  let refusedSinceMs: number | null = null

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const failure = await check(AbortSignal.timeout(ANSWER_WITHIN_MS)).then(
        () => null,
        (error: unknown) => codeOf(error),
      )
      problem = failure === null ? null : `ClickHouse does not answer (${failure})`
      refusedSinceMs = failure === 'ECONNREFUSED' ? (refusedSinceMs ?? performance.now()) : null
      if (refusedSinceMs !== null && performance.now() - refusedSinceMs >= refusedForMs) return giveUp(unreachable(dir, refusedForMs))
      await delay(everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  void watch()
  return { problem: () => problem, givenUp, stop: () => stopping.abort() }
}

function unreachable(dir: string, refusedForMs: number): OrreryError {
  return new OrreryError(
    'unavailable',
    'engine_not_listening',
    `The embedded ClickHouse engine runs, but its port has refused connections for ${Math.round(refusedForMs / 1000)} s. What was written is safe; the engine's output is in ${dir}/run/clickhouse.log. Start Orrery again.`,
    { context: { dir } },
  )
}

/** `fetch` hides the code of the network in the cause. */
function codeOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  if (cause !== undefined) return codeOf(cause)
  return name === 'TimeoutError' ? `no answer within ${ANSWER_WITHIN_MS / 1000} s` : String(name)
}
