// Detects a process that hangs. Its loop renews a heartbeat. Without one the process first becomes unready, then ends with an explanation,
// so that its supervisor restarts it.

import { eachSecond } from './each-second.ts'
import type { Readiness } from './internal-server.ts'
import type { Logger } from './logger.ts'
import { EXIT } from './stop-signals.ts'

export interface WatchdogOptions {
  /** Name of the watched loop: `partition soroswap/2`. */
  readonly name: string
  /** Unready when the last heartbeat is older. */
  readonly unreadyAfterSeconds: number
  /** Ends the process when no heartbeat follows for this long after that. */
  readonly endAfterSeconds: number
  readonly logger: Logger
  /** Monotonic milliseconds: a corrected wall clock must not end a healthy process. */
  readonly monotonicMs?: () => number
  /** Ends the process. Exit code 75: a restart may help. */
  readonly end?: (exitCode: number) => void
}

export interface Watchdog {
  /** A heartbeat: the loop made progress, or waits for input and would notice it. */
  beat(): void
  readiness(): Readiness
  /** Checks once. Called every second by the watchdog's own timer. */
  check(): void
  /** The watched loop has ended normally: the watchdog reports ready from now on. */
  stop(): void
}

/** Time counts from the start, so that a loop that never begins is detected. */
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
        `Ended: ${name} has made no progress for ${seconds} s. What was acknowledged is safe; a restart continues from the last checkpoint.`,
      )
      end(EXIT.tryLater)
    } else if (seconds > unreadyAfterSeconds && !warned) {
      warned = true
      logger.error(
        { watched: name, silentSeconds: seconds, endsInSeconds: unreadyAfterSeconds + endAfterSeconds - seconds },
        'Became unready: no heartbeat',
      )
    }
  }
  const endChecks = eachSecond(check)

  return {
    beat() {
      lastBeatMs = monotonicMs()
      if (warned) logger.info({ watched: name }, 'Became ready again: the heartbeat is back')
      warned = false
    },
    readiness() {
      const seconds = silentSeconds()
      const ok = stopped || seconds <= unreadyAfterSeconds
      return { ok, why: ok ? '' : `${name} has made no progress for ${seconds} s` }
    },
    check,
    stop() {
      stopped = true
      endChecks()
    },
  }
}
