// A small made-up network: a router, pools of two tokens, and ledgers written as lists of events and entries.

import { type Address, type ContractId, type ScVal, sc } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { type MadeRecord, madeEntry, madeEvent, Scene as ProtocolScene, testAccount, testContract } from '@orrery/testkit'
import { aquarius } from '../src/protocol.ts'
import type { AquariusState } from '../src/state/state.ts'

export const router = testContract('router')
export const tokenA = testContract('token a')
export const tokenB = testContract('token b')
export const aqua = testContract('aqua')
export const pool = testContract('pool')
export const shares = testContract('shares of the pool')
export const alice = testAccount('alice')
export const bob = testAccount('bob')

export const network: Network = {
  name: 'scene',
  passphrase: 'A scene',
  firstLedger: 1,
  protocols: [],
  deployments: {
    aquarius: [{ router, rewardToken: aqua, boostToken: null, boostFeed: null, fromLedger: 1 }],
    soroswap: [],
    blend: [],
    fxdao: [],
  },
  oracles: [],
  pricePools: [],
  usdPegs: [],
  assets: Object.fromEntries([tokenA, tokenB, aqua].map((id, n) => [id, { code: 'ABQ'.charAt(n), issuer: null, decimals: 7, tags: [] }])),
  knownPools: [],
}

const i128s = (...values: readonly bigint[]) => sc.vec(...values.map(sc.i128))
const addresses = (...values: readonly Address[]) => values.map(sc.address)

export const make = {
  addPool: (of: ContractId, kind: string, by = router) =>
    madeEvent(
      by,
      [sc.symbol('add_pool'), sc.vec(...addresses(tokenA, tokenB))],
      sc.vec(sc.address(of), sc.symbol(kind), sc.bytes(new Uint8Array(32)), sc.vec(sc.u32(30))),
    ),
  /** The list of pools of the two tokens: one pool of an index, or none. */
  list: (now: ContractId | null, before?: ContractId | null) => {
    const pools = (of: ContractId | null) =>
      sc.map(
        ...(of === null ? [] : [[sc.bytes(new Uint8Array(32)), sc.struct({ address: sc.address(of), pool_type: sc.u32(1) })] as const]),
      )
    const key = sc.vec(sc.symbol('TokensSetPools'), sc.bytes(new Uint8Array(32)))
    return madeEntry(router, key, pools(now), before === undefined ? undefined : pools(before))
  },
  liquidity: (of: ContractId, name: 'deposit_liquidity' | 'withdraw_liquidity', moved: bigint, amounts: readonly [bigint, bigint]) =>
    madeEvent(of, [sc.symbol(name), ...addresses(tokenA, tokenB)], i128s(moved, ...amounts)),
  rangeDeposit: (of: ContractId, user: Address, liquidity: bigint, amounts: readonly [bigint, bigint]) => [
    make.liquidity(of, 'deposit_liquidity', liquidity, amounts),
    make.rangeUpdate(of, user, liquidity),
  ],
  rangeWithdraw: (of: ContractId, user: Address, liquidity: bigint, amounts: readonly [bigint, bigint]) => [
    make.liquidity(of, 'withdraw_liquidity', liquidity, amounts),
    make.rangeUpdate(of, user, -liquidity),
  ],
  rangeUpdate: (of: ContractId, user: Address, delta: bigint) =>
    madeEvent(of, [sc.symbol('position_update'), sc.address(user)], sc.vec(sc.i32(-60), sc.i32(60), sc.i128(delta))),
  mint: (token: ContractId, of: ContractId, to: Address, moved: bigint) =>
    madeEvent(token, [sc.symbol('mint'), ...addresses(of, to)], sc.i128(moved)),
  burn: (token: ContractId, from: Address, moved: bigint) => madeEvent(token, [sc.symbol('burn'), sc.address(from)], sc.i128(moved)),
  transfer: (token: ContractId, from: Address, to: Address, amount: bigint) =>
    madeEvent(token, [sc.symbol('transfer'), ...addresses(from, to)], sc.i128(amount)),
  trade: (of: ContractId, tokenIn: ContractId, tokenOut: ContractId, user: Address, given: bigint, got: bigint) =>
    madeEvent(of, [sc.symbol('trade'), ...addresses(tokenIn, tokenOut, user)], i128s(given, got, 1n)),
  routed: (of: ContractId, tokenIn: ContractId, tokenOut: ContractId, user: Address, given: bigint, got: bigint) =>
    madeEvent(
      router,
      [sc.symbol('swap'), sc.vec(...addresses(tokenIn, tokenOut)), sc.address(user)],
      sc.vec(...addresses(of, tokenIn, tokenOut), sc.u128(given), sc.u128(got)),
    ),
  routedClaim: (of: ContractId, user: Address, amount: bigint) =>
    madeEvent(
      router,
      [sc.symbol('claim'), sc.vec(...addresses(tokenA, tokenB)), sc.address(user)],
      sc.vec(sc.address(of), sc.address(aqua), sc.u128(amount)),
    ),
  providerFee: (by: ContractId) => madeEvent(by, [sc.symbol('charge_provider_fee')], sc.vec(sc.address(tokenB), sc.u128(1n))),
}

export const named = (name: string) => sc.vec(sc.symbol(name))

/** The instance of a constant-product pool, or of a kind that has other keys. */
export function poolInstance(of: {
  reserves: readonly [bigint, bigint]
  supply: bigint
  share?: ContractId
  isOther?: boolean
  /** Instead of that of v2.0. */
  code?: string
  /** More of its storage. */
  also?: readonly (readonly [ScVal, ScVal])[]
}): ScVal {
  const [first, second, ...reserves] = of.isOther
    ? (['Heavy', 'Light', 'HeavyHeld', 'LightHeld'] as const)
    : (['TokenA', 'TokenB', 'ReserveA', 'ReserveB'] as const)
  return sc.instance(
    { kind: 'wasm', hash: of.code ?? '47352e355bbf930e360eeb964d2b988ac33999418630efadc946effb3c085e03' },
    [named(first), sc.address(tokenA)],
    [named(second), sc.address(tokenB)],
    [named(reserves[0]), sc.u128(of.reserves[0])],
    [named(reserves[1]), sc.u128(of.reserves[1])],
    [named('FeeFraction'), sc.u32(30)],
    [named('TokenShare'), sc.address(of.share ?? shares)],
    [named('TotalShares'), sc.u128(of.supply)],
    ...(of.also ?? []),
  )
}

export const entries = {
  instance: (of: ContractId, now: Parameters<typeof poolInstance>[0], before?: Parameters<typeof poolInstance>[0]) =>
    madeEntry(of, sc.instanceKey(), poolInstance(now), before === undefined ? undefined : poolInstance(before)),
  /** A concentrated pool at a price of one, between two initialised ticks. `feeGrowth`: of the first token, Q128. */
  concentrated: (of: ContractId, liquidity: bigint, feeGrowth = 0n) =>
    madeEntry(
      of,
      sc.instanceKey(),
      sc.instance(
        { kind: 'wasm', hash: '78615290dd71f628'.padEnd(64, '0') },
        [named('Token0'), sc.address(tokenA)],
        [named('Token1'), sc.address(tokenB)],
        [named('Reserve0'), sc.u128(liquidity)],
        [named('Reserve1'), sc.u128(liquidity)],
        [named('Fee'), sc.u32(30)],
        [named('TickSpacing'), sc.i32(60)],
        [named('Slot0'), sc.struct({ sqrt_price_x96: sc.u256(1n << 96n), tick: sc.i32(0) })],
        [named('FeeGrowthGlobal0X128'), sc.u256(feeGrowth)],
        [named('Liquidity'), sc.u128(liquidity)],
        [named('TotalRawLiquidity'), sc.u128(liquidity)],
      ),
    ),
  /** A range from -60 to 60 that owes 5 and 0; null: closed. */
  range: (of: ContractId, holder: Address, liquidity: bigint | null, before?: bigint): MadeRecord => {
    const value = (it: bigint) =>
      sc.struct({
        fee_growth_inside_0_last_x128: sc.u256(0n),
        fee_growth_inside_1_last_x128: sc.u256(0n),
        liquidity: sc.u128(it),
        tokens_owed_0: sc.u128(5n),
        tokens_owed_1: sc.u128(0n),
      })
    const key = sc.vec(sc.symbol('Position'), sc.address(holder), sc.i32(-60), sc.i32(60))
    const made = madeEntry(of, key, value(liquidity ?? 0n), before === undefined ? undefined : value(before))
    return liquidity === null ? { ...made, change: 'removed', value: null } : made
  },
  /** Both ends of it: nothing grew outside of them. */
  ticks: (of: ContractId, chunk: -1 | 0, liquidity: bigint) => {
    const tick = (gross: bigint) => sc.vec(sc.u256(0n), sc.u256(0n), sc.u128(gross), sc.i128(0n))
    const place = chunk === -1 ? 15 : 1
    const cells = Array.from({ length: 16 }, (_, n) => tick(n === place ? liquidity : 0n))
    return madeEntry(of, sc.vec(sc.symbol('TickChunk'), sc.i32(chunk)), sc.vec(...cells))
  },
  shares: (token: ContractId, holder: Address, now: bigint, before?: bigint) =>
    madeEntry(token, sc.vec(sc.symbol('Balance'), sc.address(holder)), sc.i128(now), before === undefined ? undefined : sc.i128(before)),
}

/** Ledgers of a network that follows Aquarius. */
export class Scene extends ProtocolScene<AquariusState> {
  constructor(of: Network = network) {
    super(aquarius, of)
  }
}
