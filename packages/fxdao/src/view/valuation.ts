// Values at the end of one ledger: state, prices, and each token valued once.

import { getOrMake, tokenAmount, type UsdUnits, type ValuedToken, valuedToken } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { type At, otherAsset, type Pricing } from '@orrery/pricing'
import type { Network, TokenAmount } from '@orrery/protocol-kit'
import type { FxdaoState } from '../state/state.ts'
import { assetInfo } from './asset.ts'

export class Valuation {
  readonly state: FxdaoState
  readonly at: At
  readonly network: Network
  readonly pricing: Pricing
  readonly #tokens = new Map<ContractId, ValuedToken>()

  constructor(state: FxdaoState, at: At, network: Network, pricing: Pricing) {
    this.state = state
    this.at = at
    this.network = network
    this.pricing = pricing
  }

  /** A token at its price: the vaults' own feed comes first, by which coins are at par. Call it only after entries and prices were applied. */
  token(asset: ContractId): ValuedToken {
    return getOrMake(this.#tokens, asset, () => {
      const { state, network, pricing, at } = this
      const oracle = state.core?.value.oracle
      const decimalsOf = (it: ContractId) => assetInfo(state, it, network).decimals
      const own = oracle === undefined ? {} : { ownOracle: oracle }
      return valuedToken(assetInfo(state, asset, network), pricing.priceOf(state.pricing, asset, at, { ...own, decimalsOf }))
    })
  }

  /** A raw amount of a token with its price and value. */
  amount(asset: ContractId, amount: bigint): TokenAmount {
    return tokenAmount(this.token(asset), amount)
  }

  /** USD of a raw amount, null when unknown. */
  value(asset: ContractId | '', amount: bigint): UsdUnits | null {
    return asset === '' ? (amount === 0n ? 0n : null) : this.token(asset).value(amount)
  }

  /** Raw units of a currency for one unit of collateral, as the vaults' feed has it, or null when it has none. */
  rate(denomination: string): bigint | null {
    const oracle = this.state.core?.value.oracle
    if (oracle === undefined) return null
    return this.pricing.lastPrice(this.state.pricing, oracle, otherAsset(denomination), this.at)?.price ?? null
  }
}
