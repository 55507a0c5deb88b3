// The routes in the order of matching: the first path that fits wins, so a fixed segment stands before a parameter in the same place
// (`/positions/blend/summary/history` before `/positions/blend/:pool_id/history`).

import type { Route } from '../route.ts'
import { getActivities } from './get-activities.ts'
import { getActivitySeries } from './get-activity-series.ts'
import { getAquariusHistory } from './get-aquarius-history.ts'
import { getAquariusPositions } from './get-aquarius-positions.ts'
import { getAsset } from './get-asset.ts'
import { getAssetPrices } from './get-asset-prices.ts'
import { getAssets } from './get-assets.ts'
import { getBlendHistory } from './get-blend-history.ts'
import { getBlendPosition } from './get-blend-position.ts'
import { getBlendSummaryHistory } from './get-blend-summary-history.ts'
import { getEmissions } from './get-emissions.ts'
import { getFxdaoHistory } from './get-fxdao-history.ts'
import { getFxdaoPositions } from './get-fxdao-positions.ts'
import { getHealth } from './get-health.ts'
import { getIndex } from './get-index.ts'
import { getLedger } from './get-ledger.ts'
import { getLedgers } from './get-ledgers.ts'
import { getPositions } from './get-positions.ts'
import { getPrices } from './get-prices.ts'
import { getProtocols } from './get-protocols.ts'
import { getReserves } from './get-reserves.ts'
import { getSoroswapHistory } from './get-soroswap-history.ts'
import { getSoroswapPositions } from './get-soroswap-positions.ts'
import { getTransaction } from './get-transaction.ts'
import { getTvl } from './get-tvl.ts'

export const routes: readonly Route[] = [
  getPositions,
  getBlendSummaryHistory,
  getBlendHistory,
  getBlendPosition,
  getAquariusPositions,
  getAquariusHistory,
  getSoroswapPositions,
  getSoroswapHistory,
  getFxdaoPositions,
  getFxdaoHistory,
  getActivities,
  getActivitySeries,
  getTransaction,
  getProtocols,
  getTvl,
  getEmissions,
  getReserves,
  getAssets,
  getAsset,
  getAssetPrices,
  getPrices,
  getLedgers,
  getLedger,
  getIndex,
  getHealth,
]
