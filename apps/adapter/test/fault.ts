// Lets one call of a real port fail, before or after it took effect.

export class Fault {
  readonly #call: number
  readonly #when: 'before' | 'after'
  #calls = 0
  happened = false

  /** Fails the `call`-th call (from 1) over all wrapped ports, once. */
  constructor(call: number, when: 'before' | 'after') {
    this.#call = call
    this.#when = when
  }

  /** The port itself, but for the one call. A call that gives an iterable fails at the first value (before) or behind it (after). */
  on<Port extends object>(port: Port, methods: readonly (keyof Port)[]): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        const method = value.bind(target)
        return methods.includes(name as keyof Port) ? (...args: unknown[]) => this.#wrap(String(name), method, args) : method
      },
    })
  }

  #wrap(name: string, method: (...args: unknown[]) => unknown, args: unknown[]): unknown {
    const isDue = ++this.#calls === this.#call
    if (!isDue) return method(...args)
    this.happened = true
    const error = new Error(`${name} failed ${this.#when} it took effect`)
    if (name === 'read' || name === 'loadState') return failing(method(...args) as AsyncIterable<unknown>, this.#when, error)
    if (this.#when === 'before') return Promise.reject(error)
    return (method(...args) as Promise<unknown>).then(() => Promise.reject(error))
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
