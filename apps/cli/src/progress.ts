// Progress of a long task, for people: a bar on a terminal, else a line every ten seconds. Always on stderr: stdout is for results.

import { type GenericFormatter, Presets, SingleBar } from 'cli-progress'

export interface Progress {
  /** `done` of `total` ledgers; `ledger` is the newest complete one. */
  update(done: number, total: number, ledger: number): void
  /** Removes the bar: the next output begins on a new line. */
  end(): void
}

export interface ProgressOptions {
  readonly title: string
  readonly stream: NodeJS.WriteStream
  readonly isColourWanted: boolean
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number
}

const LINE_EVERY_MS = 10_000

export function startProgress(options: ProgressOptions): Progress {
  return options.stream.isTTY ? bar(options) : lines(options)
}

function bar({ title, stream, isColourWanted, nowMs = () => performance.now() }: ProgressOptions): Progress {
  const pace = new Pace(nowMs)
  const paint = (text: string): string => (isColourWanted ? `\u001b[36m${text}\u001b[39m` : text)
  const format: GenericFormatter = (settings, { progress, value, total }, payload: { readonly ledger?: number }) => {
    const filled = Math.round(progress * 20)
    const drawn = (settings.barCompleteString ?? '').slice(0, filled) + (settings.barIncompleteString ?? '').slice(0, 20 - filled)
    return `${title}   ${paint(drawn)}   ${figures(value, total, payload.ledger ?? 0, pace.perSecond(value))}`
  }
  const one = new SingleBar({ stream, format, hideCursor: true, clearOnComplete: true, barsize: 20 }, Presets.shades_classic)
  let isStarted = false
  return {
    update(done, total, ledger) {
      if (!isStarted) {
        isStarted = true
        pace.begin(done)
        one.start(total, done, { ledger })
      }
      one.setTotal(total)
      one.update(done, { ledger })
    },
    end: () => one.stop(),
  }
}

function lines({ title, stream, nowMs = () => performance.now() }: ProgressOptions): Progress {
  const pace = new Pace(nowMs)
  let printedMs: number | null = null
  return {
    update(done, total, ledger) {
      if (printedMs === null) pace.begin(done)
      printedMs ??= nowMs()
      if (nowMs() - printedMs < LINE_EVERY_MS) return
      printedMs = nowMs()
      stream.write(`${title}: ${figures(done, total, ledger, pace.perSecond(done))}\n`)
    },
    end() {},
  }
}

/** Speed since this process began: the speed of an earlier process does not predict the time left. */
class Pace {
  readonly #nowMs: () => number
  #beganMs = 0
  #beganWith = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  begin(done: number): void {
    this.#beganMs = this.#nowMs()
    this.#beganWith = done
  }

  perSecond(done: number): number {
    const seconds = (this.#nowMs() - this.#beganMs) / 1000
    return seconds <= 0 ? 0 : (done - this.#beganWith) / seconds
  }
}

/** `61 %   ledger 60,912,004   4,210/s   8 min left` */
export function figures(done: number, total: number, ledger: number, perSecond: number): string {
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total)
  const left = perSecond <= 0 ? 'time left unknown' : `${duration((total - done) / perSecond)} left`
  return `${percent} %   ledger ${grouped(ledger)}   ${grouped(Math.round(perSecond))}/s   ${left}`
}

export const grouped = (value: number): string => value.toLocaleString('en-US')

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3_600)} h`
}
