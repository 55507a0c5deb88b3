// An asset as a list shows it: what it is, and the network's price at the answer's ledger.

import { z } from 'zod'
import type { AssetEnrichment } from '../envelope.ts'
import { STALE_SECONDS, type Warning } from '../warnings.ts'
import { Timestamp } from './timestamp.ts'

export const AssetItem = z
  .strictObject({
    asset_id: z.string().describe('Token contract (`C...`); of native XLM and of classic assets their Stellar Asset Contract.'),
    symbol: z.string().describe('Short name of the token; empty when it is unknown.'),
    decimals: z.int().nonnegative().nullable().describe('Decimals of the token. Null when they are unknown; amounts are raw then.'),
    issuer: z
      .string()
      .nullable()
      .describe(
        'Account (`G...`) that issues a classic asset, as the registry of the network names it. Null for native XLM, for tokens of Soroban, and where the registry has no entry.',
      ),
    tags: z.array(z.string()).describe('Of: stablecoin, native, classic, soroban, lp_share, reward.'),
    price_usd: z
      .string()
      .nullable()
      .describe('The network’s price: USD for one whole unit at the answer’s ledger, at most 8 fractional digits. Null without a price.'),
    price_source: z.string().nullable().describe('`oracle:<contract id>` or `pool:<contract id>`. Null without a price.'),
    price_observed_at: Timestamp.nullable().describe(
      'When the source says that the price was true, UTC; of a pool’s price, when the price that it was derived from was true. Null without a price.',
    ),
  })
  .meta({
    id: 'AssetItem',
    example: {
      asset_id: 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA',
      symbol: 'XLM',
      decimals: 7,
      issuer: null,
      tags: ['native'],
      price_usd: '0.25',
      price_source: 'oracle:CAFJZQWSED6YAWZU3GWRTOCNPPCGBN32L7QV43XX5LZLFTK6JLN34DLN',
      price_observed_at: '2026-09-01T00:00:00Z',
    },
  })
export type AssetItem = z.input<typeof AssetItem>

/** @param known What `enrichment` has of the asset. */
export function presentAsset(id: string, known: z.input<typeof AssetEnrichment> | undefined, issuer: string | null): AssetItem {
  const { symbol = '', decimals = null, tags = [], price_usd = null, price_source = null, price_observed_at = null } = known ?? {}
  return { asset_id: id, symbol, decimals, issuer, tags, price_usd, price_source, price_observed_at }
}

/** One for each price that is older than an hour at the answer's ledger. `at`: JSON pointer of the list or of the item. */
export function stalePrices(items: readonly AssetItem[], closeTimeSeconds: number, pointer: (n: number) => string): Warning[] {
  return items.flatMap(({ symbol, asset_id, price_observed_at }, n) => {
    if (price_observed_at === null) return []
    const ageSeconds = closeTimeSeconds - Date.parse(price_observed_at) / 1000
    if (ageSeconds <= STALE_SECONDS) return []
    const message = `The price of ${symbol === '' ? asset_id : symbol} was observed ${ageSeconds} seconds before the answer’s ledger closed.`
    return [{ code: 'stale_price' as const, message, path: `${pointer(n)}/price_usd` }]
  })
}
