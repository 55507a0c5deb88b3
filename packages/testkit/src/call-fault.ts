// Lets one call of a real port fail, before or after it took effect: call 1, then 2, then 3, until a run makes fewer calls than that.
// The order in which a loop writes is right when every one of these runs, started again, ends like the run without a failure.

/** Which methods of a port may fail: those that answer once, and those that give one value after the other. */
export interface FaultyMethods<Port> {
  readonly answers: readonly (keyof Port)[]
  readonly streams: readonly (keyof Port)[]
}

export class CallFault {
  readonly #call: number
  readonly #when: 'before' | 'after'
  #calls = 0
  /** The call that failed, or null as long as none has. */
  failedCall: string | null = null

  /** Fails the `call`-th call (from 1) over all wrapped ports, once. */
  constructor(call: number, when: 'before' | 'after') {
    this.#call = call
    this.#when = when
  }

  get happened(): boolean {
    return this.failedCall !== null
  }

  /** The port itself, but for the one call. A stream fails in front of its first value (before) or behind it (after). */
  on<Port extends object>(port: Port, { answers, streams }: FaultyMethods<Port>): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        const method = value.bind(target)
        if (answers.includes(name as keyof Port)) return (...args: unknown[]) => this.#answer(String(name), () => method(...args))
        if (streams.includes(name as keyof Port)) return (...args: unknown[]) => this.#stream(String(name), () => method(...args))
        return method
      },
    })
  }

  /** The error of this call, when it is the one that fails. */
  #errorOf(name: string): Error | null {
    if (++this.#calls !== this.#call) return null
    this.failedCall = name
    return new Error(`${name} failed ${this.#when} it took effect, as the test asked`)
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
