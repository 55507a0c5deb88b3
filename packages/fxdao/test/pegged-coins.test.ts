import { type EntryRecord, type ScVal, sc, writeScVal } from '@orrery/ledger'
import { testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { peggedCoins } from '../src/chain/pegged-coins.ts'

const [vaults, feed, usdx, eurx] = [testContract('vaults'), testContract('feed'), testContract('usdx'), testContract('eurx')]

const entry = (key: ScVal, value: ScVal): EntryRecord => ({
  kind: 'entry',
  tx: 0,
  opIndex: 0,
  index: 0,
  change: 'updated',
  contract: vaults,
  key: writeScVal(key),
  durability: 'persistent',
  value: writeScVal(value),
  before: null,
  liveUntil: null,
})
const instance = (...storage: readonly (readonly [ScVal, ScVal])[]) =>
  entry(sc.instanceKey(), sc.instance({ kind: 'wasm', hash: '00'.repeat(32) }, ...storage))
const core = [sc.vec(sc.symbol('CoreState')), sc.struct({ fee: sc.u128(50_000n), oracle: sc.address(feed) })] as const
const currency = (denomination: string, token: string) =>
  [
    sc.vec(sc.symbol('Currency'), sc.symbol(denomination)),
    sc.struct({ active: sc.bool(true), contract: sc.address(token), denomination: sc.symbol(denomination) }),
  ] as const
const totals = (denomination: string, collateral: bigint) =>
  [
    sc.vec(sc.symbol('VaultsInfo'), sc.symbol(denomination)),
    sc.struct({ denomination: sc.symbol(denomination), total_col: sc.u128(collateral), total_debt: sc.u128(5n) }),
  ] as const

describe('the coins of FxDAO as sources of prices', () => {
  it('the instance of the vaults names the feed, the tokens, and which currencies have collateral', () => {
    const read = peggedCoins.read(instance(core, currency('EUR', eurx), currency('USD', usdx), totals('EUR', 1n), totals('USD', 0n)))
    expect(read).toEqual({
      oracle: feed,
      coins: [
        { token: eurx, denomination: 'EUR', hasCollateral: true },
        { token: usdx, denomination: 'USD', hasCollateral: false },
      ],
    })
  })

  it('the vaults have no feed and no coins before they are initialized', () => {
    expect(peggedCoins.read(instance())).toEqual({ oracle: null, coins: [] })
  })

  it('entries other than the instance name no coins', () => {
    const key = sc.vec(sc.symbol('Currency'), sc.symbol('EUR'))
    expect(peggedCoins.read(entry(key, sc.struct({ contract: sc.address(eurx), denomination: sc.symbol('EUR') })))).toBeNull()
  })

  it('a currency of another layout is refused, so that the coins stay what they were', () => {
    const odd = [sc.vec(sc.symbol('Currency'), sc.symbol('EUR')), sc.struct({ token: sc.address(eurx) })] as const
    expect(() => peggedCoins.read(instance(core, odd))).toThrow(expect.objectContaining({ code: 'unexpected_shape' }))
  })

  it('each deployment issues its coins from its own first ledger on', () => {
    expect(peggedCoins.issuers({ fxdao: [{ vaults, lockingPools: [], fromLedger: 7 }], soroswap: [], blend: [], aquarius: [] })).toEqual([
      { contract: vaults, fromLedger: 7 },
    ])
  })
})
