// Assets and their prices.

import type { AssetItem, GetAssetPricesResponse, GetAssetResponse, GetPricesResponse, ListAssetsResponse } from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { Pages } from '../pages.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf, RestOf } from '../types.ts'

export class AssetsResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Every asset that a protocol uses. */
  list(query: QueryOf<'listAssets'> = {}, request: RequestOptions = {}): Pages<ListAssetsResponse, AssetItem> {
    const load = (cursor: string | undefined): Promise<ListAssetsResponse> =>
      answerOf(
        this.#http.api.GET('/v1/assets', {
          params: { query: { ...wireQuery(query), ...(cursor !== undefined && { cursor }) } },
          ...initOf(request),
        }),
      )
    return new Pages(load, ({ data }) => data.assets)
  }

  /** One asset. */
  get(asset: string, request: RequestOptions = {}): Promise<GetAssetResponse> {
    return answerOf(this.#http.api.GET('/v1/assets/{id}', { params: { path: { id: asset } }, ...initOf(request) }))
  }

  /** USD prices of one asset over time. */
  priceHistory(asset: string, query: QueryOf<'getAssetPrices'> = {}, request: RequestOptions = {}): Promise<GetAssetPricesResponse> {
    return answerOf(
      this.#http.api.GET('/v1/assets/{id}/prices', { params: { path: { id: asset }, query: wireQuery(query) }, ...initOf(request) }),
    )
  }

  /** USD prices of up to 100 assets, now, at an instant or as of a ledger. */
  prices(assets: readonly string[], query: RestOf<'getPrices', 'assets'> = {}, request: RequestOptions = {}): Promise<GetPricesResponse> {
    const parameters = wireQuery<{ at?: string; as_of_ledger?: number }>(query)
    return answerOf(
      this.#http.api.GET('/v1/prices', { params: { query: { ...parameters, assets: assets.join(',') } }, ...initOf(request) }),
    )
  }
}
