import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BlendVersion, ReserveConfig, ReserveData } from '../chain/values.ts'
import { accrue, borrowRate, supplyRate, utilization } from './accrual.ts'

const config = (of: Partial<ReserveConfig>): ReserveConfig => ({
  index: 0,
  decimals: 7,
  cFactor: 9_500_000n,
  lFactor: 9_500_000n,
  util: 7_500_000n,
  maxUtil: 9_500_000n,
  rBase: 100_000n,
  rOne: 500_000n,
  rTwo: 5_000_000n,
  rThree: 15_000_000n,
  reactivity: 20n,
  supplyCap: null,
  enabled: null,
  ...of,
})

describe('the reserves of mainnet', () => {
  // Fixed v2, USDC, ledger 63,092,996: 73 s after the touch before. The supply itself is not in it.
  it('the USDC reserve of Fixed V2 accrues to what the ledger has', () => {
    const fixed = config({ util: 8_000_000n, rBase: 300_000n, rOne: 400_000n, rTwo: 1_200_000n, rThree: 50_000_000n })
    const before: ReserveData = {
      bRate: 1_126_283_037_931n,
      bSupply: 490_211_444_904_748n,
      backstopCredit: 1_714_973_280n,
      dRate: 1_199_233_395_169n,
      dSupply: 311_995_418_364_770n,
      rateModifier: 17_677_508n,
      lastTime: 1_781_828_458n,
    }
    expect(accrue(before, fixed, 2_000_000n, 1_781_828_531n, 'v2')).toEqual({
      ...before,
      bRate: 1_126_283_197_551n,
      backstopCredit: 1_734_535_205n,
      dRate: 1_199_233_708_666n,
      rateModifier: 17_677_330n,
      lastTime: 1_781_828_531n,
    })
  })

  // Fixed v1, ledger 55,261,759, closed 36 s after the touch of USDC: rates as blend-sdk-js 3.2.2 shows them, which rounds the modifier up.
  it('the USDC reserve of Fixed V1 accrues to the close time', () => {
    const fixed = config({ util: 8_000_000n, rBase: 300_000n, rOne: 600_000n, rTwo: 1_200_000n, rThree: 50_000_000n })
    const before: ReserveData = {
      bRate: 1_095_073_860n,
      bSupply: 30_104_839_071_593n,
      backstopCredit: 1_286_675_294n,
      dRate: 1_147_908_295n,
      dSupply: 18_784_450_084_275n,
      rateModifier: 1_433_470_882n,
      lastTime: 1_736_780_875n,
    }
    const now = accrue(before, fixed, 2_000_000n, 1_736_780_911n, 'v1')
    expect(now).toMatchObject({
      bRate: 1_095_073_934n,
      dRate: 1_147_908_445n,
      backstopCredit: 1_287_238_827n,
      rateModifier: 1_433_460_376n,
    })
    const util = utilization(now, 'v1')
    const borrow = borrowRate(util, now.rateModifier, fixed, 'v1')
    expect({ util, borrow, supply: supplyRate(borrow, util, 2_000_000n) }).toEqual({
      util: 6_540_727n,
      borrow: 1_133_230n,
      supply: 592_971n,
    })
  })
})

describe("the contracts' own tests", () => {
  const young = { bSupply: 990_000_000n, dSupply: 650_000_000n, backstopCredit: 0n, lastTime: 0n }
  const v2 = { ...young, bRate: 1_123_456_789_000n, dRate: 1_345_678_123_000n, rateModifier: 10_000_000n }
  const v1 = { ...young, bRate: 1_123_456_789n, dRate: 1_345_678_123n, rateModifier: 1_000_000_000n }

  // pool/src/pool/reserve.rs, load and accrue over 617,280 s.
  it.each([
    ['v2', v2, 2_000_000n, { dRate: 1_349_657_798_173n, bRate: 1_125_547_124_242n, rateModifier: 10_449_815n, backstopCredit: 517_357n }],
    ['v2', v2, 0n, { dRate: 1_349_657_798_173n, bRate: 1_126_069_707_070n, rateModifier: 10_449_815n, backstopCredit: 0n }],
    ['v1', v1, 2_000_000n, { dRate: 1_349_657_800n, bRate: 1_125_547_124n, rateModifier: 1_044_981_563n, backstopCredit: 517_358n }],
  ] as const)('%s: a reserve after a week', (version, before, takeRate, after) => {
    expect(accrue(before, config({}), takeRate, 617_280n, version)).toMatchObject(after)
  })
})

describe('a reserve', () => {
  const empty: ReserveData = {
    bRate: 10n ** 12n,
    dRate: 10n ** 12n,
    bSupply: 0n,
    dSupply: 0n,
    backstopCredit: 0n,
    rateModifier: 10_000_000n,
    lastTime: 5n,
  }

  it('a reserve without debt accrues nothing but its time', () => {
    expect(accrue({ ...empty, bSupply: 100n }, config({}), 0n, 9n, 'v2')).toEqual({ ...empty, bSupply: 100n, lastTime: 9n })
  })

  it('a reserve does not accrue twice in a ledger, nor to an earlier time', () => {
    const data = { ...empty, bSupply: 100n, dSupply: 50n }
    expect(accrue(data, config({}), 0n, 5n, 'v2')).toBe(data)
    expect(accrue(data, config({}), 0n, 4n, 'v2')).toBe(data)
  })

  it('a reserve that is owed more than was supplied has a utilisation of 1 in v2, and above 1 in v1', () => {
    const data = { ...empty, bSupply: 100n, dSupply: 150n }
    expect(utilization(data, 'v2')).toBe(10_000_000n)
    expect(utilization({ ...data, bRate: 10n ** 9n, dRate: 10n ** 9n }, 'v1')).toBe(15_000_000n)
  })

  it('suppliers and the backstop never get more interest than borrowers owe', () => {
    const amounts = fc.bigInt(1n, 10n ** 20n)
    const versions = fc.constantFrom<BlendVersion>('v1', 'v2')
    fc.assert(
      fc.property(
        amounts,
        amounts,
        fc.bigInt(0n, 10_000_000n),
        fc.bigInt(1n, 10n ** 8n),
        versions,
        (bSupply, dSupply, takeRate, seconds, version) => {
          const one = version === 'v1' ? 10n ** 9n : 10n ** 12n
          const before = { ...empty, bSupply, dSupply, bRate: one, dRate: one, rateModifier: version === 'v1' ? one : 10_000_000n }
          const after = accrue(before, config({}), takeRate, 5n + seconds, version)
          const owed = (after.dRate * dSupply + one - 1n) / one - dSupply
          const promised = (after.bRate * bSupply) / one - bSupply + after.backstopCredit
          expect(promised).toBeLessThanOrEqual(owed)
          expect(after.bRate).toBeGreaterThanOrEqual(one)
        },
      ),
    )
  })
})
