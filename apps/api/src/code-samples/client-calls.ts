// How each operation is called with @orrery/client. A test makes every call and compares its request with the example of the operation.

export interface ClientCall {
  /** Object and method: `accounts.portfolio`. */
  readonly method: string
  /** A parameter of the query that is an argument of its own, as a list or as one value. */
  readonly own?: { readonly name: string; readonly isList: boolean }
  /** The argument of the path is a number. */
  readonly isNumber?: boolean
  /** It returns pages, of which the example asks for the first. */
  readonly hasPages?: boolean
  /** Members of the body that are arguments of their own. Absent: the body is one argument. */
  readonly members?: readonly string[]
}

const pages = (method: string): ClientCall => ({ method, hasPages: true })

/** By operation id. */
export const CLIENT_CALLS: Readonly<Record<string, ClientCall>> = {
  getPortfolio: { method: 'accounts.portfolio' },
  getPortfolios: { method: 'accounts.portfolios', own: { name: 'addresses', isList: true } },
  getNetWorthHistory: { method: 'accounts.history' },
  listActivities: pages('accounts.activities'),
  listActions: pages('accounts.actions'),
  getActivitySeries: { method: 'accounts.activitySeries' },
  getBlendPosition: { method: 'blend.position' },
  getBlendHistory: { method: 'blend.history' },
  getBlendSummaryHistory: { method: 'blend.summaryHistory' },
  getAquariusPositions: { method: 'aquarius.positions' },
  getAquariusHistory: { method: 'aquarius.history' },
  getSoroswapPositions: { method: 'soroswap.positions' },
  getSoroswapHistory: { method: 'soroswap.history' },
  getFxdaoPositions: { method: 'fxdao.positions' },
  getFxdaoHistory: { method: 'fxdao.history' },
  listPools: pages('pools.list'),
  getPool: { method: 'pools.get' },
  getPoolHistory: { method: 'pools.history' },
  listPoolActivities: pages('pools.activities'),
  listProtocols: { method: 'protocols.list' },
  getTvl: { method: 'protocols.tvl' },
  getEmissions: { method: 'protocols.emissions' },
  getReserves: { method: 'protocols.reserves' },
  listProtocolAccounts: pages('protocols.accounts'),
  listAssets: pages('assets.list'),
  getAsset: { method: 'assets.get' },
  getAssetPrices: { method: 'assets.priceHistory' },
  getPrices: { method: 'assets.prices', own: { name: 'assets', isList: true } },
  getTransaction: { method: 'service.transaction' },
  findLedger: { method: 'service.ledgerAt', own: { name: 'at', isList: false } },
  getLedger: { method: 'service.ledger', isNumber: true },
  getQuery: { method: 'queries.get' },
  getIndex: { method: 'service.index' },
  getService: { method: 'service.about' },
  getHealth: { method: 'service.health' },
  getOrganization: { method: 'organization.get' },
  changeBilling: { method: 'organization.changeBilling' },
  listApiKeys: { method: 'organization.apiKeys' },
  createApiKey: { method: 'organization.createApiKey' },
  revokeApiKey: { method: 'organization.revokeApiKey' },
  createWebhook: { method: 'webhooks.create' },
  listWebhooks: { method: 'webhooks.list' },
  getWebhook: { method: 'webhooks.get' },
  changeWebhook: { method: 'webhooks.change' },
  deleteWebhook: { method: 'webhooks.delete' },
  rotateWebhookSecret: { method: 'webhooks.rotateSecret' },
  testWebhook: { method: 'webhooks.test' },
  listWebhookDeliveries: { method: 'webhooks.deliveries' },
  redeliverWebhook: { method: 'webhooks.redeliver' },
  logIn: { method: 'auth.logIn', members: ['email', 'password'] },
  refreshAccess: { method: 'auth.refresh', members: ['refresh_token'] },
  logOut: { method: 'auth.logOut', members: ['refresh_token'] },
}
