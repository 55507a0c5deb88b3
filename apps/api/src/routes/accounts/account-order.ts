// The order of a list of positions, and the place of a cursor in it.

export interface AccountPlace {
  /** What the list is sorted by, as an integer, smallest first. Null: there is none, and the position comes last. */
  readonly place: bigint | null
  readonly pool: string
  readonly address: string
}

/** Below 0: `a` comes first. As the database sorts: by `place`, then by pool and address as plain text. */
export function comparePlaces(a: AccountPlace, b: AccountPlace): number {
  return compareValues(a.place, b.place) || compareTexts(a.pool, b.pool) || compareTexts(a.address, b.address)
}

function compareValues(a: bigint | null, b: bigint | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return a < b ? -1 : Number(a > b)
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

export function writePlace({ place, pool, address }: AccountPlace): string {
  return `${place ?? ''} ${pool} ${address}`
}

/** Of a cursor whose MAC is right. */
export function readPlace(text: string): AccountPlace {
  const [place = '', pool = '', address = ''] = text.split(' ')
  return { place: place === '' ? null : BigInt(place), pool, address }
}
