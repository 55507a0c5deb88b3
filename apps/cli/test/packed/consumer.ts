// Programs in TypeScript that use the client: one that must compile, and one each of whose marked lines must not.

export const CONSUMER = `
import { ApiError, type ApiErrorCode, createClient, isApiError, type OrreryClient, type PoolItem, sumDecimals } from '@orrery/client'

const orrery: OrreryClient = createClient({ baseUrl: '', apiKey: async () => 'key', maxRetries: 0 })

export async function use(signal: AbortSignal): Promise<string> {
  const { data, meta, enrichment } = await orrery.accounts.portfolio('G', { signal })
  const total: string = data.total_value_usd
  const ledger: number | null = meta.last_indexed_ledger
  const symbols: string[] = Object.values(enrichment.assets).map((asset) => asset.symbol)
  for (const { metadata } of data.protocols.flatMap(({ positions }) => positions.lp)) {
    if (metadata.kind === 'liquidity') symbols.push(metadata.vs_hold.hold_usd ?? 'unpriced')
  }
  for await (const activity of orrery.accounts.activities('G', { activity_type: ['swap', 'deposit'], from: new Date() })) {
    if (activity.protocol === 'blend' && activity.activity_type === 'liquidation') symbols.push(activity.metadata.action_id)
  }
  const pools: PoolItem[] = await orrery.pools.list({ sort: 'volume' }).take(3)
  return sumDecimals([total, ...pools.map((pool) => pool.tvl_usd)]) + String(ledger) + symbols.join()
}

export function codeOf(error: unknown): ApiErrorCode | null {
  if (isApiError(error, 'rate_limited')) return error.code
  return error instanceof ApiError && error.code !== 'unknown_response' ? error.code : null
}
`

export const WRONG_CONSUMER = `
import { createClient, isApiError, sumDecimals } from '@orrery/client'
createClient({ baseUrl: 7 }) // TS2322
const orrery = createClient({ baseUrl: '' })
orrery.accounts.portfolio(7) // TS2345
orrery.pools.list({ sort: 'age' }) // TS2322
orrery.protocols.unknown() // TS2339
export const total: number = (await orrery.accounts.portfolio('G')).data.total_value_usd // TS2322
isApiError(null, 'no_code') // TS2345
sumDecimals([1]) // TS2345
`
