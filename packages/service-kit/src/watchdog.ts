// A process that hangs looks healthy from outside. Its loop renews a heartbeat; when that stays away the process becomes unready,
// and if it still stays away the process ends with an explanation, so that its supervisor starts a new one.

import type { Readiness } from './internal-server.ts'
import type { Logger } from './logger.ts'
import { EXIT } from './stop-signals.ts'

export interface WatchdogOptions {
  /** What beats: `partition soroswap/2`. */
  readonly name: string
  /** Unready when the last beat is older. */
  readonly unreadyAfterSeconds: number
  /** Ends the process when no beat comes for this long after that. */
  readonly endAfterSeconds: number
  readonly logger: Logger
  /** Monotonic milliseconds: a corrected wall clock must not end a healthy process. */
  readonly monotonicMs?: () => number
  /** How the process ends. Exit code 75: trying again may help. */
  readonly end?: (exitCode: number) => void
}

export interface Watchdog {
  /** The loop has come round: it worked, or it waits for news and would notice them. */
  beat(): void
  readiness(): Readiness
  /** Looks once. Called every second by its own timer. */
  check(): void
  /** What it watched has ended in good order: it is content from now on. */
  stop(): void
}

/** Counts from now on: a loop that never begins is silent, too. */
export function startWatchdog(options: WatchdogOptions): Watchdog {
  const { name, unreadyAfterSeconds, endAfterSeconds, logger, monotonicMs = () => performance.now(), end = process.exit } = options
  let lastBeatMs = monotonicMs()
  let warned = false
  let stopped = false
  const silentSeconds = () => Math.floor((monotonicMs() - lastBeatMs) / 1000)

  const check = () => {
    const seconds = silentSeconds()
    if (seconds > unreadyAfterSeconds + endAfterSeconds) {
      logger.fatal(
        { watched: name, silentSeconds: seconds },
        `Ended: ${name} made no sign of life for ${seconds} s. What was acknowledged is safe; a restart continues from the last checkpoint.`,
      )
      end(EXIT.tryLater)
    } else if (seconds > unreadyAfterSeconds && !warned) {
      warned = true
      logger.error(
        { watched: name, silentSeconds: seconds, endsInSeconds: unreadyAfterSeconds + endAfterSeconds - seconds },
        'Became unready: no sign of life',
      )
    }
  }
  const timer = setInterval(check, 1000)
  timer.unref()

  return {
    beat() {
      lastBeatMs = monotonicMs()
      if (warned) logger.info({ watched: name }, 'Came back to life')
      warned = false
    },
    readiness() {
      const seconds = silentSeconds()
      const ok = stopped || seconds <= unreadyAfterSeconds
      return { ok, why: ok ? '' : `${name} made no sign of life for ${seconds} s` }
    },
    check,
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}
