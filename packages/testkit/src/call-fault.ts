// Makes one call of a real port fail, before or after it took effect: call 1, then 2, then 3, until a run makes fewer calls than that.
// A loop writes in the right order when each of these runs, after a restart, ends like the run without a failure.

/** The methods of a port that may fail: those with one result, and those that return a stream. */
export interface FaultyMethods<Port> {
  readonly answers: readonly (keyof Port)[]
  readonly streams: readonly (keyof Port)[]
}

export class CallFault {
  readonly #call: number
  readonly #when: 'before' | 'after'
  readonly #name: string | null
  readonly #counts = new Map<string, number>()
  #calls = 0
  /** The call that failed, or null before that. */
  failedCall: string | null = null

  /** Fails the `call`-th call (from 1) over all wrapped ports, once; or the `call`-th of the name, which does not depend on their order. */
  constructor(call: number, when: 'before' | 'after', name: string | null = null) {
    this.#call = call
    this.#when = when
    this.#name = name
  }

  /** Calls so far, by name. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts
  }

  get happened(): boolean {
    return this.failedCall !== null
  }

  /**
   * The port, except for the one call. A stream fails before its first value (before) or after it (after).
   * Calls are named after their method, and their port where it has a name: `log append`.
   */
  on<Port extends object>(port: Port, { answers, streams }: FaultyMethods<Port>, portName = ''): Port {
    return new Proxy(port, {
      get: (target, method) => {
        const value = Reflect.get(target, method)
        if (typeof value !== 'function') return value
        const call = value.bind(target)
        const name = `${portName} ${String(method)}`.trim()
        if (answers.includes(method as keyof Port)) return (...args: unknown[]) => this.#answer(name, () => call(...args))
        if (streams.includes(method as keyof Port)) return (...args: unknown[]) => this.#stream(name, () => call(...args))
        return call
      },
    })
  }

  /** The error of this call, if it is the one that fails. */
  #errorOf(name: string): Error | null {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    this.#calls++
    if (this.#name === null ? this.#calls !== this.#call : name !== this.#name || count !== this.#call) return null
    this.failedCall = name
    return new Error(`${name} failed ${this.#when} it took effect, as the test requested`)
  }

  async #answer(name: string, call: () => Promise<unknown>): Promise<unknown> {
    const error = this.#errorOf(name)
    if (error !== null && this.#when === 'before') throw error
    const answer = await call()
    if (error !== null) throw error
    return answer
  }

  #stream(name: string, call: () => AsyncIterable<unknown>): AsyncIterable<unknown> {
    const error = this.#errorOf(name)
    return error === null ? call() : failing(call(), this.#when, error)
  }
}

async function* failing(values: AsyncIterable<unknown>, when: 'before' | 'after', error: Error): AsyncIterable<unknown> {
  for await (const value of values) {
    if (when === 'before') throw error
    yield value
    throw error
  }
  throw error
}
