// The routes in the order of matching: the first path that fits wins, so a fixed segment stands before a parameter in the same place
// (`/positions/blend/summary/history` before `/positions/blend/:pool_id/history`).

import type { Protocol, ProtocolView } from '@orrery/protocol-kit'
import type { Route } from '../route.ts'
import type { ProtocolOf } from '../views.ts'
import { getAccounts } from './accounts/get-accounts.ts'
import { ammPositions } from './amm-positions.ts'
import { getActions } from './get-actions.ts'
import { getActivities } from './get-activities.ts'
import { getActivitySeries } from './get-activity-series.ts'
import { getAsset } from './get-asset.ts'
import { getAssetPrices } from './get-asset-prices.ts'
import { getAssets } from './get-assets.ts'
import { getEmissions } from './get-emissions.ts'
import { getHealth } from './get-health.ts'
import { getIndex } from './get-index.ts'
import { getLedger } from './get-ledger.ts'
import { getLedgers } from './get-ledgers.ts'
import { getPortfolios } from './get-portfolios.ts'
import { getPositions } from './get-positions.ts'
import { getPrices } from './get-prices.ts'
import { getProtocols } from './get-protocols.ts'
import { getReserves } from './get-reserves.ts'
import { getService } from './get-service.ts'
import { getTransaction } from './get-transaction.ts'
import { getTvl } from './get-tvl.ts'
import { lendingPosition } from './lending-position.ts'
import { lendingSummaryHistory } from './lending-summary-history.ts'
import { netWorthHistory } from './net-worth-history.ts'
import { getPool } from './pools/get-pool.ts'
import { getPoolActivities } from './pools/get-pool-activities.ts'
import { getPoolHistory } from './pools/get-pool-history.ts'
import { getPools } from './pools/get-pools.ts'
import { ammHistory, lendingHistory, vaultHistory } from './position-history-route.ts'
import { getQuery } from './queries/get-query.ts'
import { vaultPositions } from './vault-positions.ts'

/** The routes of a build with these protocols, whether or not the network has deployments of them. */
export function routesOf(protocols: readonly Protocol<unknown>[]): readonly Route[] {
  return [
    getPositions(protocols),
    ...protocols.flatMap(positionRoutes),
    getPortfolios,
    netWorthHistory(protocols),
    getActivities(protocols),
    getActions(protocols),
    getActivitySeries(protocols),
    getTransaction,
    getProtocols(protocols),
    getTvl(protocols),
    getEmissions(protocols),
    getReserves(protocols),
    getAccounts(protocols),
    getPools(protocols),
    getPoolHistory,
    getPoolActivities,
    getPool,
    getAssets,
    getAsset,
    getAssetPrices,
    getPrices,
    getLedgers,
    getLedger,
    getQuery(seriesOf(protocols)),
    getIndex,
    getHealth,
    getService,
  ]
}

/** Operations whose points are made of statements that `GET /v1/queries/{name}` shows. */
function seriesOf(protocols: readonly Protocol<unknown>[]): readonly Route[] {
  const positions = protocols.flatMap(positionRoutes).filter(({ path }) => path.endsWith('/history'))
  return [...positions, netWorthHistory(protocols), getActivitySeries(protocols), getTvl(protocols), getPoolHistory, getAssetPrices]
}

type RoutesOfKinds = { readonly [Kind in ProtocolView['kind']]: (protocol: ProtocolOf<Kind>) => readonly Route[] }

/** The endpoints of one protocol. A kind without them does not compile. */
const POSITION_ROUTES: RoutesOfKinds = {
  amm: (protocol) => [ammPositions(protocol), ammHistory(protocol)],
  lending: (protocol) => [lendingSummaryHistory(protocol), lendingHistory(protocol), lendingPosition(protocol)],
  vault: (protocol) => [vaultPositions(protocol), vaultHistory(protocol)],
}

function positionRoutes(protocol: Protocol<unknown>): readonly Route[] {
  return POSITION_ROUTES[protocol.view.kind](protocol as never)
}
