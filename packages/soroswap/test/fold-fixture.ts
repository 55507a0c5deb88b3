// A small made-up network: a factory, a router, two tokens and pairs, and ledgers written as lists of events and entries.

import { type Address, type ContractId, type ScVal, sc } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { madeEntry, madeEvent, Scene as ProtocolScene, testAccount, testContract } from '@orrery/testkit'
import { soroswap } from '../src/protocol.ts'
import type { SoroswapState } from '../src/state/state.ts'

export const factory = testContract('factory')
export const router = testContract('router')
export const tokenA = testContract('token a')
export const tokenB = testContract('token b')
export const tokenC = testContract('token c')
export const pairAB = testContract('pair a b')
export const pairBC = testContract('pair b c')
export const alice = testAccount('alice')
export const bob = testAccount('bob')
export const source = testAccount('source')

export const network: Network = {
  name: 'fixture',
  passphrase: 'Test network',
  firstLedger: 1,
  protocols: [],
  deployments: { soroswap: [{ factory, routers: [router], fromLedger: 1 }], blend: [], aquarius: [], fxdao: [] },
  oracles: [],
  pricePools: [],
  usdPegs: [],
  assets: Object.fromEntries([tokenA, tokenB, tokenC].map((id, n) => [id, { code: 'ABC'.charAt(n), issuer: null, decimals: 7, tags: [] }])),
  knownPools: [],
}

const amounts = (members: Readonly<Record<string, bigint>>) =>
  Object.fromEntries(Object.entries(members).map(([name, it]) => [name, sc.i128(it)]))

export const make = {
  newPair: (pair: ContractId, token0: ContractId, token1: ContractId, count: number, by = factory) =>
    madeEvent(
      by,
      [sc.string('SoroswapFactory'), sc.symbol('new_pair')],
      sc.struct({ new_pairs_length: sc.u32(count), pair: sc.address(pair), token_0: sc.address(token0), token_1: sc.address(token1) }),
    ),
  pair: (pair: ContractId, name: string, values: Readonly<Record<string, bigint>>, to?: Address) =>
    madeEvent(
      pair,
      [sc.string('SoroswapPair'), sc.symbol(name)],
      sc.struct({ ...amounts(values), ...(to === undefined ? {} : { to: sc.address(to) }) }),
    ),
  swap: (pair: ContractId, [in0, in1]: [bigint, bigint], [out0, out1]: [bigint, bigint], to: Address) =>
    make.pair(pair, 'swap', { amount_0_in: in0, amount_1_in: in1, amount_0_out: out0, amount_1_out: out1 }, to),
  withdraw: (pair: ContractId, liquidity: bigint, [amount0, amount1]: [bigint, bigint], to: Address) =>
    make.pair(pair, 'withdraw', { amount_0: amount0, amount_1: amount1, liquidity, new_reserve_0: 0n, new_reserve_1: 0n }, to),
  deposit: (pair: ContractId, liquidity: bigint, [amount0, amount1]: [bigint, bigint], to: Address) =>
    make.pair(pair, 'deposit', { amount_0: amount0, amount_1: amount1, liquidity, new_reserve_0: 0n, new_reserve_1: 0n }, to),
  mint: (pair: ContractId, to: Address, shares: bigint) =>
    madeEvent(pair, [sc.symbol('mint'), sc.address(pair), sc.address(to)], sc.i128(shares)),
  burn: (pair: ContractId, from: Address, shares: bigint) => madeEvent(pair, [sc.symbol('burn'), sc.address(from)], sc.i128(shares)),
  transfer: (token: ContractId, from: Address, to: Address, amount: bigint) =>
    madeEvent(token, [sc.symbol('transfer'), sc.address(from), sc.address(to)], sc.i128(amount)),
  routerSwap: (path: readonly ContractId[], to: Address) =>
    madeEvent(
      router,
      [sc.string('SoroswapRouter'), sc.symbol('swap')],
      sc.struct({ amounts: sc.vec(...path.map(() => sc.i128(1n))), path: sc.vec(...path.map(sc.address)), to: sc.address(to) }),
    ),
}

export interface PairFigures {
  readonly token0?: ContractId
  readonly token1?: ContractId
  readonly reserve0: bigint
  readonly reserve1: bigint
  readonly supply: bigint
}

const pairInstance = ({ token0 = tokenA, token1 = tokenB, reserve0, reserve1, supply }: PairFigures): ScVal =>
  sc.instance(
    { kind: 'wasm', hash: '18'.repeat(32) },
    [sc.u32(0), sc.address(token0)],
    [sc.u32(1), sc.address(token1)],
    [sc.u32(2), sc.i128(reserve0)],
    [sc.u32(3), sc.i128(reserve1)],
    [sc.u32(4), sc.address(factory)],
    [sc.vec(sc.symbol('TotalSupply')), sc.i128(supply)],
  )

export const entries = {
  instance: (pair: ContractId, now: PairFigures, before?: PairFigures) =>
    madeEntry(pair, sc.instanceKey(), pairInstance(now), before === undefined ? undefined : pairInstance(before)),
  shares: (pair: ContractId, holder: Address, now: bigint, before?: bigint) =>
    madeEntry(pair, sc.vec(sc.symbol('Balance'), sc.address(holder)), sc.i128(now), before === undefined ? undefined : sc.i128(before)),
}

/** Ledgers of a network that follows Soroswap. */
export class FoldFixture extends ProtocolScene<SoroswapState> {
  constructor(of: Network = network) {
    super(soroswap, of)
  }
}
