// Changes of prices as text of an address: `CAS3…:-20,CCW6…:35`, in percent.

export const LEAST_PERCENT = -90
export const MOST_PERCENT = 200

/** Percent by asset; what is not named has not changed. */
export type PriceChanges = Readonly<Record<string, number>>

/** Of an address that may have been typed: what is no change of a price is left out. */
export function readPriceChanges(text: string): PriceChanges {
  const changes = text.split(',').flatMap((part) => {
    const [, asset, percent] = /^(C[A-Z2-7]{55}):(-?\d{1,3})$/.exec(part) ?? []
    const change = Number(percent)
    return asset !== undefined && change >= LEAST_PERCENT && change <= MOST_PERCENT ? [[asset, change] as const] : []
  })
  return Object.fromEntries(changes)
}

export function writePriceChanges(changes: PriceChanges): string {
  return Object.entries(changes)
    .filter(([, percent]) => percent !== 0)
    .map(([asset, percent]) => `${asset}:${percent}`)
    .join(',')
}
