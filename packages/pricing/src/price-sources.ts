// Which sources may price an asset, in the order of asking, and how long a price of each counts: for readers of stored price rows, which have
// no state of the oracles at every ledger.

import type { ContractId } from '@orrery/ledger'
import type { OracleConfig } from '@orrery/protocol-kit'
import { MAX_AGE_SECONDS } from './price-of.ts'
import type { Sources } from './sources.ts'
import type { PricingState } from './state.ts'

export interface PriceSource {
  /** `oracle:<contract>` or `pool:<contract>`, as in price rows. */
  readonly source: string
  /** A price counts while the close time minus its observation is at most this. Null: it holds at every ledger, as of that ledger. */
  readonly maxAgeSeconds: number | null
}

/** By the settings that the oracles have in `state`, which may differ from those that they had when a row was written. */
export function priceSourcesOf(sources: Sources, state: PricingState, asset: ContractId): PriceSource[] {
  return [
    ...sources.oracles.map((oracle) => ({
      source: `oracle:${oracle.contract}`,
      maxAgeSeconds: oracleMaxAge(sources, state, oracle, asset),
    })),
    // As old as the oracle's price that it was derived from.
    ...sources.pricePools.map(({ contract }) => ({ source: `pool:${contract}`, maxAgeSeconds: MAX_AGE_SECONDS })),
  ]
}

function oracleMaxAge(sources: Sources, state: PricingState, { contract, kind }: OracleConfig, asset: ContractId): number | null {
  if (kind === 'fxdao_currencies') return MAX_AGE_SECONDS
  if (kind === 'reflector') {
    const resolutionSeconds = state.reflectors.get(contract)?.facts()?.resolutionSeconds ?? 0
    // A feed is silent once its newest round is two resolutions old.
    return Math.min(MAX_AGE_SECONDS, Math.max(0, 2 * resolutionSeconds - 1))
  }
  const aggregator = state.aggregators.get(contract)
  if (sources.namesOf(asset).some((name) => aggregator?.isBase(name) === true)) return null
  return Math.min(MAX_AGE_SECONDS, aggregator?.maxAgeSeconds() ?? 0)
}
