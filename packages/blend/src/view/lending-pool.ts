// A pool, its reserves and its backstop as the API shows them, accrued to the close time asked for.
// Raw amounts are bigint; USD (scale 8), prices and rates are decimal text; null: unknown.

import type { Address, ContractId } from '@orrery/ledger'
import type { AssetInfo, DecimalText, Price } from '@orrery/protocol-kit'
import type { BlendVersion } from '../chain/values.ts'

export type PoolStatus = 'active' | 'on_ice' | 'frozen' | 'setup'

/** Emissions of one side of a reserve at the close time asked for. */
export interface SideEmission {
  readonly reserveTokenId: number
  /** BLND per second, whole units, at most 14 fractional digits. '0' when over. */
  readonly tokensPerSecond: DecimalText
  /** Unix seconds. */
  readonly expiresAtSeconds: number
  /** Fraction per year of what the side holds, at the current rate, not compounded. '0' when over, null where BLND or the asset has no price. */
  readonly apy: DecimalText | null
}

export interface LendingReserve {
  readonly pool: ContractId
  readonly asset: AssetInfo
  readonly index: number
  /** False: the pool refuses supply and borrow of it. v1 has no such switch. */
  readonly enabled: boolean
  readonly price: Price | null
  /** Rates with all digits of the contract's scale: 9 in v1, 12 in v2. */
  readonly bRate: DecimalText
  readonly dRate: DecimalText
  readonly bSupply: bigint
  readonly dSupply: bigint
  /** Underlying, raw. */
  readonly supplied: bigint
  readonly borrowed: bigint
  readonly backstopCredit: bigint
  /** What the pool holds of the asset, null where its balance is not known. */
  readonly cash: bigint | null
  readonly suppliedUsd: DecimalText | null
  readonly borrowedUsd: DecimalText | null
  /** Fractions. */
  readonly cFactor: DecimalText
  readonly lFactor: DecimalText
  readonly utilization: DecimalText
  readonly targetUtilization: DecimalText
  readonly maxUtilization: DecimalText
  readonly rateModifier: DecimalText
  /** Interest as it follows utilization, before the rate modifier: the rate at none, and what each of the three parts of the curve adds. */
  readonly curve: {
    readonly base: DecimalText
    readonly one: DecimalText
    readonly two: DecimalText
    readonly three: DecimalText
    /** How fast the rate modifier follows the distance from the target utilization. */
    readonly reactivity: DecimalText
  }
  readonly supplyApr: DecimalText
  readonly supplyApy: DecimalText
  readonly borrowApr: DecimalText
  readonly borrowApy: DecimalText
  /** Underlying, raw: null where there is none (v1). */
  readonly supplyCap: bigint | null
  /** max_util · supplied, raw, floored. */
  readonly borrowCap: bigint
  readonly supplyEmission: SideEmission | null
  readonly borrowEmission: SideEmission | null
  /** A config that is not active before its unlock time. */
  readonly queuedConfigUnlocksAtSeconds: number | null
  /** Ledger of the newest row of the reserve's pool. */
  readonly ledger: number
}

/** The backstop of one pool. */
export interface LendingBackstop {
  readonly pool: ContractId
  readonly backstop: ContractId
  /** Queued ones included. */
  readonly shares: bigint
  readonly queuedShares: bigint
  /** 100 · ⌈queued · 1e7 / shares⌉ / 1e7. */
  readonly queuedPct: DecimalText
  readonly lpTokens: bigint
  readonly lpToken: AssetInfo
  readonly lpPrice: Price | null
  /** What the LP tokens stand for, raw. Null while the Comet pool is not known. */
  readonly blndAmount: bigint | null
  readonly usdcAmount: bigint | null
  readonly blnd: AssetInfo
  readonly usdc: AssetInfo
  readonly usdValue: DecimalText | null
  /** Fractions per year: interest, and BLND on what is not queued at the current rate. */
  readonly apr: DecimalText | null
  readonly emissionApy: DecimalText | null
  readonly inRewardZone: boolean
  /** BLND per second to its depositors, whole units. */
  readonly tokensPerSecond: DecimalText
  readonly emissionsExpireAtSeconds: number
  readonly ledger: number
}

export interface LendingPool {
  readonly pool: ContractId
  readonly name: string
  readonly version: BlendVersion
  readonly status: PoolStatus
  /** The contract's own number, 0 to 6. */
  readonly statusCode: number
  readonly admin: Address
  readonly oracle: ContractId
  /** False: an oracle that cannot be read from storage, so its assets have prices of others or none. */
  readonly oracleReadable: boolean
  /** Fraction of interest. */
  readonly backstopTakeRate: DecimalText
  readonly maxPositions: number
  /** In the oracle's base, whole units. Null in v1 and where the oracle's decimals are not known. */
  readonly minCollateral: DecimalText | null
  /** In the order of their index. */
  readonly reserves: readonly LendingReserve[]
  readonly backstop: LendingBackstop
  /** Sums of the priced parts. */
  readonly suppliedUsd: DecimalText
  readonly borrowedUsd: DecimalText
  /** supplied - borrowed. */
  readonly tvlUsd: DecimalText
  /** Reserves with something in them and without a price. */
  readonly unpricedAssets: number
  /** Ledger of the newest change of the pool. */
  readonly ledger: number
}
