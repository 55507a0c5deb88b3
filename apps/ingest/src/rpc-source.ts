// Ledgers from Stellar RPC: large batches while far behind, some requests for each ledger at the tip.
// Requests name ledgers, not cursors: cursors differ between the methods of the RPC.

import { setTimeout as sleep } from 'node:timers/promises'
import { OrreryError } from '@orrery/errors'
import { type Clock, systemClock } from '@orrery/service-kit'
import type { CallOptions, Rpc, RpcHealth, RpcLedger } from '@orrery/stellar-rpc'
import { type EntryReader, rpcEntryReader } from './entry-reader.ts'
import type { LedgerSource, SourceLedger, SourceRange } from './ledger-source.ts'
import { leftWindow } from './out-of-range.ts'
import { TailPace } from './tail-pace.ts'

/** Target size of a batch in bytes of XDR: two batches are in memory, and their JSON while they arrive. */
const BATCH_BYTES = 8 * 1024 * 1024
/** The first batch, while the size of ledgers is unknown: one has up to some megabytes. */
const FIRST_LIMIT = 4
/** The default limit of servers. */
const LARGEST_LIMIT = 200
/** How long a read is retried while no node answers. Shorter than the watchdog's limit, so that the process ends with this error. */
const READ_RETRY_MS = 180_000
/** The same at the start: an operator is waiting. */
const START_RETRY_MS = 15_000
const RANGE_RETRY_MS = 60_000
/** Retries of a ledger inside its range that a node refuses or leaves out: it may be catching up, or another node behind a load balancer may have it. */
const ATTEMPTS = 5
/** After this many requests without a new ledger, one to three seconds, all endpoints are queried: the preferred one may have stopped while another continues. */
const QUIET_QUESTIONS = 6
/** Timeout of that query: ledgers close every few seconds, and an endpoint that hangs must not delay ledgers of the others. */
const NEWS_WITHIN_MS = 3_000
const ATTEMPT_PAUSE_MS = 1_000
const ATTEMPTS_AT_SILENT = READ_RETRY_MS / ATTEMPT_PAUSE_MS

/** Follows the network: it never ends. */
export function rpcSource(rpc: Rpc, clock: Clock = systemClock): LedgerSource {
  return new RpcSource(rpc, clock)
}

/** A node's answer to a request for a ledger before the oldest that it names. */
type OlderLedger = { readonly given: true; readonly closeTimeSeconds: number | null } | { readonly given: false; readonly refusal: string }

/** All endpoints refused the requested ledgers, or do not have them. */
function isRefusal(error: unknown): error is OrreryError {
  return error instanceof OrreryError && ['rpc_refused', 'ledgers_missing'].includes(error.code)
}

/** The endpoints' answers. */
function answersIn({ context }: OrreryError): string {
  return String(context.answers)
}

class RpcSource implements LedgerSource {
  readonly ends = false
  readonly entries: EntryReader
  readonly #rpc: Rpc
  readonly #clock: Clock
  #isReading = false
  #limit = FIRST_LIMIT
  /** Requests at the tip since the last new ledger. */
  #quiet = 0
  #largestLimit = LARGEST_LIMIT
  /** Newest ledger that any answer named. */
  #latest = 0
  /** The oldest ledgers, read together with the range: a new index begins with them, and they are about to leave the window. */
  #oldest: readonly RpcLedger[] = []

  constructor(rpc: Rpc, clock: Clock) {
    this.#rpc = rpc
    this.entries = rpcEntryReader(rpc)
    this.#clock = clock
  }

  get describe(): string {
    return this.#rpc.describe
  }

  async passphrase(): Promise<string> {
    return (await this.#rpc.survey({ retryForMs: START_RETRY_MS })).passphrase
  }

  /**
   * `getHealth` names the oldest ledger of the node's own database. A node with a datastore also serves older ledgers, through `getLedgers`
   * alone: so a ledger before the oldest is requested, and only the node's answer refuses it.
   */
  async range(needed?: number): Promise<SourceRange> {
    const health = await this.#rpc.survey({ retryForMs: this.#isReading ? RANGE_RETRY_MS : START_RETRY_MS })
    this.#heard(health)
    if (needed === undefined || needed >= health.oldestLedger) return await this.#window(health)
    const older = await this.#askFor(needed)
    if (older.given) return { first: needed, last: health.latestLedger, lastCloseTimeSeconds: older.closeTimeSeconds }
    return { ...(await this.#window(health)), refusal: older.refusal }
  }

  /** The range that the node names. */
  async #window(health: RpcHealth): Promise<SourceRange> {
    const { latestLedger: last, oldestLedger } = health
    const known = this.#isReading ? { first: oldestLedger, closeTimeSeconds: health.latestCloseTimeSeconds } : await this.#hold(health)
    return { first: known.first, last, lastCloseTimeSeconds: known.closeTimeSeconds }
  }

  async *read(from: number, signal: AbortSignal): AsyncIterable<SourceLedger> {
    this.#isReading = true
    const pace = new TailPace(this.#clock)
    const held = this.#oldest
    this.#oldest = []
    let next = from
    let ahead: Promise<readonly RpcLedger[]> = held[0]?.sequence === from ? Promise.resolve(held) : this.#fetch(from, signal)
    try {
      while (!signal.aborted) {
        const batch = await ahead
        const after = (batch.at(-1)?.sequence ?? next - 1) + 1
        if (batch.length === 0) await pace.pause(signal)
        else pace.arrived(batch.length)
        // The next batch is requested while the loop processes this one. At the tip the request waits until a ledger is due.
        ahead = after <= this.#latest || batch.length === 0 ? this.#fetch(after, signal) : Promise.resolve([])
        ahead.catch(() => undefined) // thrown where it is awaited; without this it would be an unhandled rejection
        for (const { sequence, bytes } of batch) {
          if (signal.aborted) return
          yield { sequence, bytes }
        }
        next = after
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  /** Ledgers from `from` on, or none when that one has not closed yet. */
  async #fetch(from: number, signal: AbortSignal): Promise<readonly RpcLedger[]> {
    const options = { signal, retryForMs: READ_RETRY_MS }
    for (let attempt = 1; ; attempt++) {
      if (from > this.#latest) await this.#askForNews(from, options)
      if (from > this.#latest) return []
      try {
        const answer = await this.#rpc.getLedgers(from, Math.min(this.#limit, this.#latest - from + 1), options)
        this.#heard(answer)
        this.#learnSize(answer.ledgers)
        return answer.ledgers
      } catch (error) {
        if (!isRefusal(error)) throw error
        if (await this.#isNotYet(from, error, signal)) return []
        const mayAskForLess = error.code === 'rpc_refused' && attempt > 1 && this.#limit > 1
        if (mayAskForLess)
          this.#largestLimit = this.#limit = Math.ceil(this.#limit / 2) // some providers have a smaller limit
        else if (attempt >= ATTEMPTS) throw error
        await sleep(ATTEMPT_PAUSE_MS, undefined, { signal })
      }
    }
  }

  async #askForNews(ledger: number, options: CallOptions): Promise<void> {
    const isQuiet = this.#quiet >= QUIET_QUESTIONS
    this.#heard(await (isQuiet ? this.#rpc.survey({ ...options, skipAfterMs: NEWS_WITHIN_MS }) : this.#rpc.getHealth(options)))
    this.#quiet = ledger > this.#latest ? this.#quiet + 1 : 0
  }

  /**
   * After a refusal: whether the ledger has not closed yet, as a node behind a load balancer may find although another one had it.
   * @throws OrreryError `invalid`/`ledgers_out_of_range` when no endpoint has it any longer.
   */
  async #isNotYet(ledger: number, refusal: OrreryError, signal: AbortSignal): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const { oldestLedger, latestLedger, isComplete } = await this.#rpc.survey({ signal, retryForMs: READ_RETRY_MS })
      if (ledger >= oldestLedger) {
        this.#latest = latestLedger
        return ledger > latestLedger
      }
      // An endpoint that did not answer may have it.
      if (isComplete || attempt > ATTEMPTS_AT_SILENT)
        throw leftWindow(this.describe, { first: ledger, last: oldestLedger - 1 }, latestLedger, answersIn(refusal))
      await sleep(ATTEMPT_PAUSE_MS, undefined, { signal })
    }
  }

  /** Requests a ledger before the oldest that the node names. */
  async #askFor(ledger: number): Promise<OlderLedger> {
    try {
      const { ledgers, latestCloseTimeSeconds } = await this.#rpc.getLedgers(ledger, 1, { retryForMs: START_RETRY_MS })
      if (!this.#isReading) this.#oldest = ledgers
      return { given: true, closeTimeSeconds: latestCloseTimeSeconds }
    } catch (error) {
      if (!isRefusal(error)) throw error
      return { given: false, refusal: answersIn(error) }
    }
  }

  /** Fetches the oldest ledgers and keeps them until reading begins. */
  async #hold({ oldestLedger, latestLedger }: RpcHealth): Promise<{ readonly first: number; readonly closeTimeSeconds: number | null }> {
    let oldest = oldestLedger
    for (let attempt = 1; ; attempt++) {
      try {
        const options = { retryForMs: START_RETRY_MS }
        const { ledgers, latestCloseTimeSeconds } = await this.#rpc.getLedgers(oldest, Math.min(2, latestLedger - oldest + 1), options)
        this.#oldest = ledgers
        return { first: oldest, closeTimeSeconds: latestCloseTimeSeconds }
      } catch (error) {
        const now = (await this.#rpc.survey({ retryForMs: START_RETRY_MS })).oldestLedger
        if (now === oldest || attempt >= ATTEMPTS) throw error // otherwise its window has moved between the two requests
        oldest = now
      }
    }
  }

  #heard({ latestLedger }: RpcHealth): void {
    this.#latest = Math.max(this.#latest, latestLedger)
  }

  #learnSize(ledgers: readonly RpcLedger[]): void {
    const bytes = ledgers.reduce((sum, ledger) => sum + ledger.bytes.length, 0)
    const fitting = Math.floor((BATCH_BYTES * ledgers.length) / Math.max(1, bytes))
    // The limit grows step by step: the next ledgers may be larger than these.
    this.#limit = Math.max(1, Math.min(fitting, this.#limit * 2, this.#largestLimit))
  }
}
