// A small made-up network: a factory, a router, two tokens and pairs, and ledgers written as lists of events and entries.

import {
  type Address,
  type CallRecord,
  type ContractId,
  type EntryRecord,
  type EventRecord,
  type ScVal,
  sc,
  writeScVal,
  writeScVals,
} from '@orrery/ledger'
import type { Network, Rows, Slice } from '@orrery/protocol-kit'
import { Slicer, testAccount, testContract } from '@orrery/testkit'
import { soroswap } from '../src/protocol.ts'
import type { SoroswapState } from '../src/state.ts'

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
  name: 'scene',
  passphrase: 'A scene',
  firstLedger: 1,
  deployments: { soroswap: [{ factory, routers: [router], fromLedger: 1 }], blend: [], aquarius: [], fxdao: [] },
  oracles: [],
  pricePools: [],
  usdPegs: [],
  assets: Object.fromEntries([tokenA, tokenB, tokenC].map((id, n) => [id, { code: 'ABC'.charAt(n), issuer: null, decimals: 7, tags: [] }])),
  knownPools: [],
}

type Made<R> = Omit<R, 'tx' | 'opIndex' | 'index'>
export type MadeRecord = Made<EventRecord> | Made<EntryRecord> | Made<CallRecord>

export function event(contract: ContractId, topics: readonly ScVal[], data: ScVal): MadeRecord {
  return { kind: 'event', contract, type: 'contract', topics: writeScVals(topics), data: writeScVal(data) }
}

const amounts = (members: Readonly<Record<string, bigint>>) =>
  Object.fromEntries(Object.entries(members).map(([name, it]) => [name, sc.i128(it)]))

export const make = {
  newPair: (pair: ContractId, token0: ContractId, token1: ContractId, count: number, by = factory) =>
    event(
      by,
      [sc.string('SoroswapFactory'), sc.symbol('new_pair')],
      sc.struct({ new_pairs_length: sc.u32(count), pair: sc.address(pair), token_0: sc.address(token0), token_1: sc.address(token1) }),
    ),
  pair: (pair: ContractId, name: string, values: Readonly<Record<string, bigint>>, to?: Address) =>
    event(
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
    event(pair, [sc.symbol('mint'), sc.address(pair), sc.address(to)], sc.i128(shares)),
  burn: (pair: ContractId, from: Address, shares: bigint) => event(pair, [sc.symbol('burn'), sc.address(from)], sc.i128(shares)),
  transfer: (token: ContractId, from: Address, to: Address, amount: bigint) =>
    event(token, [sc.symbol('transfer'), sc.address(from), sc.address(to)], sc.i128(amount)),
  routerSwap: (path: readonly ContractId[], to: Address) =>
    event(
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

/** `before` undefined: the entry is created. */
export function entry(contract: ContractId, key: ScVal, value: ScVal, before?: ScVal, liveUntil: number | null = null): MadeRecord {
  return {
    kind: 'entry',
    contract,
    key: writeScVal(key),
    durability: 'persistent',
    change: before === undefined ? 'created' : 'updated',
    value: writeScVal(value),
    before: before === undefined ? null : writeScVal(before),
    liveUntil,
  }
}

export const entries = {
  instance: (pair: ContractId, now: PairFigures, before?: PairFigures) =>
    entry(pair, sc.instanceKey(), pairInstance(now), before === undefined ? undefined : pairInstance(before)),
  shares: (pair: ContractId, holder: Address, now: bigint, before?: bigint) =>
    entry(pair, sc.vec(sc.symbol('Balance'), sc.address(holder)), sc.i128(now), before === undefined ? undefined : sc.i128(before)),
}

/** Ledgers one after the other, in one partition, each an hour after the one before unless told otherwise. */
export class Scene {
  readonly network: Network
  readonly adapter
  state: SoroswapState
  readonly #slicer: Slicer
  #ledger = 0

  constructor(of: Network = network) {
    this.network = of
    this.adapter = soroswap.adapter(of)
    this.state = this.adapter.load([], 0)
    this.#slicer = new Slicer(of, soroswap.routing, 1)
  }

  slice(...operations: readonly (readonly MadeRecord[])[]): Slice {
    const sequence = ++this.#ledger
    const hash = sequence.toString(16).padStart(64, '0')
    const [slice] = this.#slicer.feed({
      header: { sequence, closeTimeSeconds: 1_788_220_800 + sequence * 600, hash, previousHash: hash, protocolVersion: 27 },
      transactions: operations.map((_, n) => ({
        hash: `${sequence}${n}`.padStart(64, '0'),
        txOrder: n + 1,
        source,
        feeSource: null,
        innerHash: null,
      })),
      records: operations.flatMap((records, tx) => records.map((record, index) => ({ ...record, tx, opIndex: 0, index }))),
    })
    if (slice === undefined) throw new Error('one partition makes one slice')
    return slice
  }

  /** Folds a ledger with these operations, one transaction each. */
  ledger(...operations: readonly (readonly MadeRecord[])[]): Rows {
    return this.adapter.fold(this.state, this.slice(...operations))
  }
}
