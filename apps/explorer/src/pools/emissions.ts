// Emissions of a protocol: its rows by pool and asset, and their sum by token.

import { type GetEmissionsResponse, sumDecimals } from '@orrery/client'

type Emissions = GetEmissionsResponse['data']
type EmissionRow = Emissions['pools'][number]['assets'][number] & { readonly pool_id: string; readonly pool_name: string }

/** Pools and assets without emissions are left out. */
export function emissionsOf({ pools }: Emissions): EmissionRow[] {
  return pools
    .flatMap(({ pool_id, pool_name, assets }) => assets.map((asset) => ({ pool_id, pool_name, ...asset })))
    .filter(
      ({ supply_tokens_per_second, borrow_tokens_per_second }) => Number(supply_tokens_per_second) + Number(borrow_tokens_per_second) > 0,
    )
}

/** Blend names the asset whose suppliers and borrowers receive BLND; other protocols name the token that is paid. */
export function emittedSymbol(protocol: string, { symbol }: { readonly symbol: string }): string {
  return protocol === 'blend' ? 'BLND' : symbol
}

export interface EmittedToken {
  readonly symbol: string
  /** Exact sum of all pools, to suppliers and to borrowers. */
  readonly tokensPerSecond: string
}

/** By token, in the order in which the rows name them. */
export function emittedTokens(emissions: Emissions): EmittedToken[] {
  const tokenOf = (row: EmissionRow): string =>
    emissions.protocol_id === 'blend' ? emittedSymbol(emissions.protocol_id, row) : row.asset_address
  return [...Map.groupBy(emissionsOf(emissions), tokenOf).values()].map((rows) => ({
    symbol: rows[0] === undefined ? '' : emittedSymbol(emissions.protocol_id, rows[0]),
    tokensPerSecond: sumDecimals(rows.flatMap((row) => [row.supply_tokens_per_second, row.borrow_tokens_per_second])),
  }))
}
