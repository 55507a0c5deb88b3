// The client: one object for each group of endpoints.

import { openHttp } from './http.ts'
import type { ClientOptions } from './options.ts'
import type { RateLimit } from './rate-limit.ts'
import { AccountsResource } from './resources/accounts.ts'
import { AquariusResource } from './resources/aquarius.ts'
import { AssetsResource } from './resources/assets.ts'
import { AuthResource } from './resources/auth.ts'
import { BlendResource } from './resources/blend.ts'
import { FxdaoResource } from './resources/fxdao.ts'
import { OrganizationResource } from './resources/organization.ts'
import { PoolsResource } from './resources/pools.ts'
import { ProtocolsResource } from './resources/protocols.ts'
import { QueriesResource } from './resources/queries.ts'
import { ServiceResource } from './resources/service.ts'
import { SoroswapResource } from './resources/soroswap.ts'
import { WebhooksResource } from './resources/webhooks.ts'
import { openStream, type StreamEvent, type StreamOptions, type StreamQuery } from './stream.ts'

export interface OrreryClient {
  /** Portfolios, net worth, activities and actions of accounts. */
  readonly accounts: AccountsResource
  readonly blend: BlendResource
  readonly aquarius: AquariusResource
  readonly soroswap: SoroswapResource
  readonly fxdao: FxdaoResource
  readonly protocols: ProtocolsResource
  readonly pools: PoolsResource
  readonly assets: AssetsResource
  /** Transactions, ledgers, the index and the health of the service. */
  readonly service: ServiceResource
  /** The SQL behind series. */
  readonly queries: QueriesResource
  readonly organization: OrganizationResource
  readonly webhooks: WebhooksResource
  readonly auth: AuthResource
  /**
   * What happens, as it is indexed: activities, changes of positions, crossings of a health factor, and ledgers. It does not end by itself, and
   * goes on where it was when the connection is lost.
   *
   *     for await (const { event, data } of orrery.stream({ addresses: ['GAHSDY…'] })) console.log(event, data)
   */
  stream(query?: StreamQuery, options?: StreamOptions): AsyncGenerator<StreamEvent, void, undefined>
  /** The rate limit as of the last response that had one. */
  readonly rateLimit: RateLimit | null
}

/**
 * Answers are as the API sends them: `data`, `enrichment` and `meta`, with decimal strings, so that no digit is lost.
 *
 *     const orrery = createClient({ baseUrl: 'http://127.0.0.1:8080', apiKey })
 *     const { data } = await orrery.accounts.portfolio('GAHSDY…')
 *
 * Requests throw `ApiError`, `ConnectionError`, or the reason of their signal. They are repeated where that helps; see `ClientOptions`.
 */
export function createClient(options: ClientOptions): OrreryClient {
  const http = openHttp(options)
  return {
    accounts: new AccountsResource(http),
    blend: new BlendResource(http),
    aquarius: new AquariusResource(http),
    soroswap: new SoroswapResource(http),
    fxdao: new FxdaoResource(http),
    protocols: new ProtocolsResource(http),
    pools: new PoolsResource(http),
    assets: new AssetsResource(http),
    service: new ServiceResource(http),
    queries: new QueriesResource(http),
    organization: new OrganizationResource(http),
    webhooks: new WebhooksResource(http),
    auth: new AuthResource(http),
    stream: (query = {}, request = {}) => openStream(http.sender, options.baseUrl, query, request),
    get rateLimit() {
      return http.sender.rateLimit
    },
  }
}
