// At most so many at once, the others in turn: for work that costs a core and can be asked for by anybody.

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export function inTurn(atOnce: number): InTurn {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((go) => waiting.push(go))
    else running += 1
    try {
      return await work()
    } finally {
      // Whoever is next takes over our place.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
