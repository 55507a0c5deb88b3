import type { CurrencyReserve } from '@orrery/fxdao'
import type { AssetInfo, LpEmission, LpPool } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { byAddress } from './by-address.ts'
import { liquidityEmissions } from './emission.ts'
import { currencyReserves } from './vault-reserve.ts'

const asset = (id: string): AssetInfo => ({ asset: id, symbol: id, decimals: 7, tags: [] })
const amount = (id: string) => ({ asset: asset(id), amount: 0n, price: null, usdValue: null })

describe('the order of the wire', () => {
  it('lists are sorted by address as plain text, and items with the same address keep their order', () => {
    const items = [['CB', 1] as const, ['CA', 2] as const, ['C2', 3] as const, ['CA', 4] as const]
    expect(byAddress(items, ([address]) => address).map(([, n]) => n)).toEqual([3, 2, 4, 1])
  })

  it('rewards of a pool are sorted by their token', () => {
    const paid = (id: string): LpEmission => ({
      asset: asset(id),
      tokensPerSecond: 1n,
      apy: null,
      endsAtSeconds: 0,
      price: null,
      sources: [],
    })
    const pool: LpPool = {
      pool: 'POOL',
      name: '',
      poolType: 'constant_product',
      shareAsset: 'SHARE',
      shareSupply: 0n,
      shareDecimals: 7,
      reserves: [],
      balances: [],
      fee: '0.003',
      feeApr: '0',
      feeApy: '0',
      emissions: [paid('CD'), paid('CA')],
      tvlUsd: '0',
      unpricedAssets: 0,
      status: 'active',
      ledger: 1,
    }
    expect(liquidityEmissions(pool).assets.map((it) => it.asset_address)).toEqual(['CA', 'CD'])
  })

  it('currencies are sorted by the address of their coin, not by their name', () => {
    const currency = (denomination: string, coin: string): CurrencyReserve => ({
      contract: 'VAULTS',
      denomination,
      active: true,
      coin: asset(coin),
      debt: amount(coin),
      collateral: amount('XLM'),
      vaults: 0n,
      minimumRatioPct: '110',
      openingRatioPct: '115',
      minimumDebt: 0n,
      rate: null,
      oracle: 'ORACLE',
      feePct: '0',
      panic: false,
      ledger: 1,
    })
    const reserves = currencyReserves([currency('EUR', 'CD'), currency('USD', 'CB')])
    expect(reserves.map(({ asset_id, metadata }) => [asset_id, 'currency' in metadata && metadata.currency])).toEqual([
      ['CB', 'USD'],
      ['CD', 'EUR'],
    ])
  })
})
