// Long identifiers in a few characters, and names of lists of the API.

/** The first and the last characters of an address or a hash. Texts that are short already stay as they are. */
export function shortened(id: string): string {
  return id.length <= 20 ? id : `${id.slice(0, 6)}…${id.slice(-4)}`
}

/** A word of the API for people: `unstake_request` as `Unstake request`. */
export function labelOf(word: string): string {
  const words = word.replaceAll('_', ' ').replace(/^lp\b/, 'LP')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

export interface PriceSource {
  /** `oracle` or `pool`. */
  readonly kind: string
  readonly contract: string
}

/** The parts of `oracle:<contract>` and `pool:<contract>`. Null without a source. */
export function priceSourceOf(source: string | null): PriceSource | null {
  const [kind, contract] = source?.split(':') ?? []
  return kind === undefined || contract === undefined ? null : { kind, contract }
}
