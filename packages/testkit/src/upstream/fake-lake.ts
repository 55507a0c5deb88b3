// A SEP-54 lake over real HTTP, like an object store: a batch exists once its last ledger has closed.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { XdrWriter } from '@orrery/ledger'
import { forked } from './forked.ts'
import { type LakeCut, lakePath } from './lake-layout.ts'
import { type AlterLedger, type LedgerShelf, ledgerShelf, passphraseOfLake } from './ledger-shelf.ts'
import { answer, FaultPlan, type UpstreamFault } from './upstream-fault.ts'
import { UpstreamServer } from './upstream-server.ts'

export interface FakeLakeOptions extends Partial<LakeCut> {
  /** Folder of a SEP-54 lake, which may be divided differently, or consecutive raw ledgers. */
  readonly ledgers: string | readonly Uint8Array[]
  /** Needed for raw ledgers; a lake names it. */
  readonly passphrase?: string
  /** Its first ledger: the recording's when not given. */
  readonly first?: number
  /** The newest closed ledger at first: the recording's last when not given. */
  readonly latest?: number
  /** The answer of stores for a missing file: 404, or 403 where listing is not allowed. */
  readonly absentStatus?: 404 | 403
}

const MANIFEST = '.config.json'

export async function startFakeLake(options: FakeLakeOptions): Promise<FakeLake> {
  const { ledgers, ledgersPerBatch = 64, batchesPerPartition = 1_000, absentStatus = 404 } = options
  const shelf = await ledgerShelf(ledgers)
  const { first = shelf.first, latest = shelf.last } = options
  const passphrase = options.passphrase ?? (typeof ledgers === 'string' ? passphraseOfLake(ledgers) : '')
  const lake = new FakeLake({ shelf, first, cut: { ledgersPerBatch, batchesPerPartition }, absentStatus }, passphrase, latest)
  await lake.comeBack()
  return lake
}

interface LakeFacts {
  readonly shelf: LedgerShelf
  readonly first: number
  readonly cut: LakeCut
  readonly absentStatus: number
}

export class FakeLake implements AsyncDisposable {
  readonly #facts: LakeFacts
  readonly #faults = new FaultPlan()
  readonly #server: UpstreamServer
  readonly #lost = new Set<string>()
  readonly #truncated = new Set<string>()
  #latest: number
  #forkedFrom = Number.POSITIVE_INFINITY
  readonly #altered = new Map<number, AlterLedger>()
  /** The passphrase in its manifest from now on. */
  passphrase: string
  /** Paths of every request, in order. */
  readonly requests: string[] = []

  constructor(facts: LakeFacts, passphrase: string, latest: number) {
    this.#facts = facts
    this.passphrase = passphrase
    this.#latest = latest
    this.#server = new UpstreamServer((request, response) => void this.#answer(request, response).catch(() => response.destroy()))
  }

  /** The address of its manifest without the file's name. */
  get url(): string {
    return `${this.#server.url}/ledgers/pubnet`
  }

  /** The newest closed ledger; the file of its batch may not exist yet. */
  get latest(): number {
    return this.#latest
  }

  /** Closes this number of ledgers, at most up to the recording's end. */
  advance(ledgers = 1): void {
    this.#latest = Math.min(this.#latest + ledgers, this.#facts.shelf.last)
  }

  /** The next `times` requests whose path contains `path` (all of them when not given) fail. */
  misbehave(fault: UpstreamFault, { path = null, times = 1 }: { readonly path?: string | null; readonly times?: number } = {}): void {
    this.#faults.order(fault, path, times)
  }

  /** Removes the file with this ledger. */
  lose(ledger: number): void {
    this.#lost.add(lakePath(this.#startOf(ledger), this.#facts.cut))
  }

  find(ledger: number): void {
    this.#lost.delete(lakePath(this.#startOf(ledger), this.#facts.cut))
  }

  /** Truncates the file with this ledger, as after an interrupted upload. */
  truncate(ledger: number): void {
    this.#truncated.add(lakePath(this.#startOf(ledger), this.#facts.cut))
  }

  /** From this ledger on the lake has another chain: other hashes. */
  forkFrom(ledger: number): void {
    this.#forkedFrom = ledger
  }

  /** The file with this ledger has other bytes for it. */
  alter(ledger: number, change: AlterLedger): void {
    this.#altered.set(ledger, change)
  }

  /** Connections are refused. */
  goAway(): Promise<void> {
    return this.#server.close()
  }

  /** At the same address. */
  comeBack(): Promise<void> {
    return this.#server.open()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', this.url)
    const path = pathname.replace('/ledgers/pubnet/', '')
    this.requests.push(path)
    const body = await this.#file(path)
    const fault = this.#faults.next(path)
    if (body !== null) return answer(response, body, 'application/octet-stream', fault)
    // No fault makes a file that does not exist: a slow answer says so late, and one without a body is cut by a reset.
    if (fault?.kind === 'slow') await delay(fault.ms, undefined, { ref: false })
    if (fault === null || fault.kind === 'slow') response.writeHead(this.#facts.absentStatus).end()
    else await answer(response, Buffer.alloc(0), 'application/octet-stream', fault.kind === 'cut' ? { kind: 'reset' } : fault)
  }

  async #file(path: string): Promise<Uint8Array | null> {
    const { cut, shelf, first } = this.#facts
    const { passphrase } = this
    if (path === MANIFEST)
      return Buffer.from(JSON.stringify({ networkPassphrase: passphrase, version: '1.0', compression: 'zstd', ...cut }))
    const start = Number(/--(\d+)(?:-\d+)?\.xdr\.zst$/.exec(path)?.[1] ?? Number.NaN)
    const end = start + cut.ledgersPerBatch - 1
    // A file is written when its batch is complete; the first one may begin late, because the network did.
    if (path !== lakePath(start, cut) || this.#lost.has(path) || end < first || end > this.#latest) return null
    const from = Math.max(start, first)
    const writer = new XdrWriter()
      .u32(from)
      .u32(end)
      .u32(end - from + 1)
    for (let sequence = from; sequence <= end; sequence++) {
      const bytes = await shelf.ledger(sequence)
      const given = this.#altered.get(sequence)?.(bytes) ?? bytes
      writer.raw(sequence >= this.#forkedFrom ? forked(given) : given)
    }
    const packed = zstdCompressSync(writer.done())
    return this.#truncated.has(path) ? packed.subarray(0, packed.length >> 1) : packed
  }

  #startOf(ledger: number): number {
    return ledger - (ledger % this.#facts.cut.ledgersPerBatch)
  }
}
