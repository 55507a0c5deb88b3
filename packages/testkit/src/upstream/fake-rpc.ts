// Stellar RPC over real HTTP that serves a recording: it advances on command or by time, drops ledgers that leave its window, and simulates faults.

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AlterLedger, ledgerShelf, passphraseOfLake } from './ledger-shelf.ts'
import { type EarlierEntry, RecordedState } from './recorded-state.ts'
import { answerMethod, type NodeView, RpcError } from './rpc-methods.ts'
import { answer, FaultPlan, type UpstreamFault } from './upstream-fault.ts'
import { UpstreamServer } from './upstream-server.ts'

export interface FakeRpcOptions {
  /** Folder of a SEP-54 lake, or consecutive raw ledgers. */
  readonly ledgers: string | readonly Uint8Array[]
  /** Needed for raw ledgers; a lake names it. */
  readonly passphrase?: string
  /** Newest ledger at first: the recording's last when not given. */
  readonly latest?: number
  /** How many ledgers it keeps. All when not given. */
  readonly retention?: number
  /**
   * A datastore has the ledgers from here on: `getLedgers` serves them although `getHealth` names only the node's own ledgers, as in
   * stellar-rpc.
   */
  readonly datastoreFrom?: number
  /** Contract data from before the recording. */
  readonly earlier?: readonly EarlierEntry[]
}

export interface RpcRequest {
  /** Time of the request, in Unix milliseconds. */
  readonly atMs: number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly path: string
  /** Value of the authorization header. */
  readonly authorization: string | undefined
}

export async function startFakeRpc(options: FakeRpcOptions): Promise<FakeRpc> {
  const { ledgers, earlier = [], retention = Number.MAX_SAFE_INTEGER } = options
  const shelf = await ledgerShelf(ledgers)
  const passphrase = options.passphrase ?? (typeof ledgers === 'string' ? passphraseOfLake(ledgers) : '')
  const state = new RecordedState(shelf, passphrase, earlier)
  const datastoreFrom = options.datastoreFrom ?? Number.MAX_SAFE_INTEGER
  const rpc = new FakeRpc({ shelf, state, passphrase, retention, datastoreFrom }, options.latest ?? shelf.last)
  await rpc.comeBack()
  return rpc
}

export class FakeRpc implements AsyncDisposable {
  readonly #facts: Pick<NodeView, 'shelf' | 'state' | 'retention' | 'datastoreFrom'>
  readonly #faults = new FaultPlan()
  readonly #server: UpstreamServer
  readonly #lost = new Set<number>()
  #clock: NodeJS.Timeout | undefined
  #latest: number
  #forgotBefore = 0
  #forkedFrom = Number.POSITIVE_INFINITY
  readonly #altered = new Map<number, AlterLedger>()
  /** The passphrase in getNetwork from now on. */
  passphrase: string
  /** Every request, in order. */
  readonly requests: RpcRequest[] = []
  /** When each ledger could first be read, in Unix milliseconds. */
  readonly servedAtMs = new Map<number, number>()

  constructor({ passphrase, ...facts }: Pick<NodeView, 'shelf' | 'state' | 'retention' | 'datastoreFrom' | 'passphrase'>, latest: number) {
    this.#facts = facts
    this.passphrase = passphrase
    this.#latest = latest
    this.#server = new UpstreamServer((request, response) => void this.#answer(request, response).catch(() => response.destroy()))
  }

  get url(): string {
    return this.#server.url
  }

  get latest(): number {
    return this.#latest
  }

  /** Oldest ledger that it names. */
  get oldest(): number {
    return Math.max(this.#facts.shelf.first, this.#latest - this.#facts.retention + 1, this.#forgotBefore)
  }

  /** Closes this number of ledgers, at most up to the recording's end. */
  advance(ledgers = 1): void {
    this.advanceTo(this.#latest + ledgers)
  }

  advanceTo(ledger: number): void {
    const to = Math.min(ledger, this.#facts.shelf.last)
    for (let sequence = this.#latest + 1; sequence <= to; sequence++) this.servedAtMs.set(sequence, Date.now())
    this.#latest = Math.max(this.#latest, to)
  }

  /** Closes a ledger at this interval until the recording ends. 0: stops that. */
  closeEvery(ms: number): void {
    clearInterval(this.#clock)
    if (ms > 0) this.#clock = setInterval(() => this.advance(), ms).unref()
  }

  /** The next `times` requests of `method` (all of them when not given) fail. */
  misbehave(fault: UpstreamFault, { method = null, times = 1 }: { readonly method?: string | null; readonly times?: number } = {}): void {
    this.#faults.order(fault, method, times)
  }

  /** Cancels all planned faults. */
  behave(): void {
    this.#faults.clear()
  }

  /** `getLedgers` leaves this one out. */
  lose(ledger: number): void {
    this.#lost.add(ledger)
  }

  find(ledger: number): void {
    this.#lost.delete(ledger)
  }

  /** Its window begins here from now on, whatever its retention. */
  forgetBefore(ledger: number): void {
    this.#forgotBefore = ledger
  }

  /** From this ledger on it returns another chain: other hashes. */
  forkFrom(ledger: number): void {
    this.#forkedFrom = ledger
  }

  /** `getLedgers` returns this ledger with other bytes; its other fields stay. */
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.closeEvery(0)
    await this.#server.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params = {} } = JSON.parse(await bodyOf(request))
    this.requests.push({ atMs: Date.now(), method, params, path: request.url ?? '', authorization: request.headers.authorization })
    const fault = this.#faults.next(method)
    const body = { jsonrpc: '2.0', id, ...(await this.#result(method, params, fault)) }
    await answer(response, Buffer.from(JSON.stringify(body)), 'application/json', fault)
  }

  async #result(method: string, params: RpcRequest['params'], fault: UpstreamFault | null): Promise<object> {
    if (fault?.kind === 'error') return { error: { code: fault.code, message: fault.message } }
    try {
      const { passphrase, oldest, latest } = this
      const node = { ...this.#facts, passphrase, oldest, latest, lost: this.#lost, forkedFrom: this.#forkedFrom, altered: this.#altered }
      return { result: await answerMethod(method, params, node) }
    } catch (error) {
      if (error instanceof RpcError) return { error: { code: error.code, message: error.message } }
      throw error
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8')
  let text = ''
  request.on('data', (part: string) => {
    text += part
  })
  await once(request, 'end')
  return text
}
