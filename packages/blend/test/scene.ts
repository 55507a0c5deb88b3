// A small made-up deployment: one pool with two reserves and its backstop, and ledgers written as lists of events, entries and calls.
// Rates are 1.1 for bTokens and 1.2 for dTokens, nothing accrues (no utilisation), so figures can be checked by hand.

import {
  type Address,
  type CallRecord,
  type ContractId,
  type EntryRecord,
  type EventRecord,
  type EvictionRecord,
  type ScVal,
  sc,
  writeScVal,
  writeScVals,
} from '@orrery/ledger'
import type { Network, Rows } from '@orrery/protocol-kit'
import { Slicer, testAccount, testContract } from '@orrery/testkit'
import type { BlendVersion } from '../src/chain/values.ts'
import { blend } from '../src/protocol.ts'
import type { BlendState } from '../src/state/state.ts'

export const factory = testContract('factory')
export const backstop = testContract('backstop')
export const emitter = testContract('emitter')
export const comet = testContract('comet')
export const blnd = testContract('blnd')
export const usdc = testContract('usdc')
export const xlm = testContract('xlm')
export const pool = testContract('pool')
export const oracle = testContract('oracle')
export const strategy = testContract('strategy')
export const alice = testAccount('alice')
export const bob = testAccount('bob')
export const source = testAccount('source')

/** Unix seconds. */
const START = 1_788_220_800

type Made<R> = Omit<R, 'tx' | 'opIndex' | 'index'>
export type MadeRecord = Made<EventRecord> | Made<EntryRecord> | Made<CallRecord> | Made<EvictionRecord>

const value = (it: ScVal | bigint | number | Address): ScVal => {
  if (typeof it === 'bigint') return sc.i128(it)
  if (typeof it === 'number') return sc.u32(it)
  return typeof it === 'string' ? sc.address(it) : it
}
type Value = Parameters<typeof value>[0]

/** An event: addresses, u32 (numbers) and i128 (bigints) as they are. Data of several values is a Vec. */
export function event(contract: ContractId, name: string, topics: readonly Value[], ...data: readonly Value[]): MadeRecord {
  const only = data.length === 1 ? data[0] : undefined
  return {
    kind: 'event',
    contract,
    type: 'contract',
    topics: writeScVals([sc.symbol(name), ...topics.map(value)]),
    data: writeScVal(only === undefined ? sc.vec(...data.map(value)) : value(only)),
  }
}

export const transfer = (token: ContractId, from: Address, to: Address, amount: bigint): MadeRecord =>
  event(token, 'transfer', [from, to], amount)

/** The data of an auction. */
export const auction = (bid: Readonly<Record<string, bigint>>, lot: Readonly<Record<string, bigint>>, block: number): ScVal => {
  const legs = (amounts: Readonly<Record<string, bigint>>) =>
    sc.map(...Object.entries(amounts).map(([asset, amount]) => [sc.address(asset), sc.i128(amount)] as const))
  return sc.struct({ bid: legs(bid), block: sc.u32(block), lot: legs(lot) })
}

export function entry(contract: ContractId, key: ScVal, now: ScVal | null, before: ScVal | null = null): Made<EntryRecord> {
  return {
    kind: 'entry',
    contract,
    key: writeScVal(key),
    durability: 'persistent',
    change: before === null ? 'created' : now === null ? 'removed' : 'updated',
    value: now === null ? null : writeScVal(now),
    before: before === null ? null : writeScVal(before),
    liveUntil: null,
  }
}

/** A temporary entry with its last ledger. */
export function temporary(contract: ContractId, key: ScVal, now: ScVal, liveUntil: number): MadeRecord {
  return { ...entry(contract, key, now), durability: 'temporary', liveUntil }
}

/** The entry comes back from the archive, perhaps changed in the same operation. */
export function restored(contract: ContractId, key: ScVal, before: ScVal, now: ScVal = before): MadeRecord {
  return { ...entry(contract, key, now, before), change: 'restored' }
}

export function evicted(contract: ContractId, key: ScVal, durability: 'temporary' | 'persistent'): MadeRecord {
  return { kind: 'evicted', contract, key: writeScVal(key), durability }
}

export function call(contract: ContractId, name: string, args: readonly Value[], authorizer: Address | null = null): MadeRecord {
  return { kind: 'call', parent: -1, authorizer, contract, function: name, args: writeScVals(args.map(value)) }
}

export const keyed = (name: string, of: ScVal) => sc.vec(sc.symbol(name), of)

export const auctionKey = (user: Address, type: number): ScVal =>
  keyed('Auction', sc.struct({ auct_type: sc.u32(type), user: sc.address(user) }))

/** bTokens of plain supply and of collateral, and dTokens, by reserve index. */
export const positions = (user: Address, supply: Shares, collateral: Shares, liabilities: Shares): MadeRecord =>
  entry(pool, positionsKey(user), positionsOf(supply, collateral, liabilities))
export const positionsKey = (user: Address): ScVal => keyed('Positions', sc.address(user))
export const positionsOf = (supply: Shares, collateral: Shares, liabilities: Shares): ScVal =>
  sc.struct({ collateral: shares(collateral), liabilities: shares(liabilities), supply: shares(supply) })
type Shares = Readonly<Record<number, bigint>>
const shares = (of: Shares) => sc.map(...Object.entries(of).map(([index, amount]) => [sc.u32(Number(index)), sc.i128(amount)] as const))

/** How a reserve counts: no interest, three quarters of collateral, four thirds of debt. */
export const reserveConfig = (version: BlendVersion, index: number, cFactor = 7_500_000): ScVal =>
  sc.struct({
    c_factor: sc.u32(cFactor),
    decimals: sc.u32(7),
    ...(version === 'v1' ? {} : { enabled: sc.bool(true) }),
    index: sc.u32(index),
    l_factor: sc.u32(7_500_000),
    max_util: sc.u32(9_500_000),
    r_base: sc.u32(0),
    r_one: sc.u32(0),
    r_three: sc.u32(0),
    r_two: sc.u32(0),
    reactivity: sc.u32(0),
    ...(version === 'v1' ? {} : { supply_cap: sc.i128(10n ** 18n) }),
    util: sc.u32(5_000_000),
  })

/** Rates are in tenths: 11 means that a bToken is 1.1 of its asset. */
export function reserveData(version: BlendVersion, bTenths = 11n, bSupply = 0n, dSupply = 0n): ScVal {
  const tenth = version === 'v1' ? 100_000_000n : 100_000_000_000n
  return sc.struct({
    b_rate: sc.i128(tenth * bTenths),
    b_supply: sc.i128(bSupply),
    backstop_credit: sc.i128(0n),
    d_rate: sc.i128(tenth * 12n),
    d_supply: sc.i128(dSupply),
    ir_mod: sc.i128(version === 'v1' ? 1_000_000_000n : 10_000_000n),
    last_time: sc.u64(1_788_220_800n),
  })
}

export function poolInstance(version: BlendVersion, status: number, of: ContractId = backstop): ScVal {
  const config = {
    bstop_rate: sc.u32(2_000_000),
    max_positions: sc.u32(4),
    ...(version === 'v1' ? {} : { min_collateral: sc.i128(0n) }),
    oracle: sc.address(oracle),
    status: sc.u32(status),
  }
  return sc.instance(
    { kind: 'wasm', hash: 'a4'.repeat(32) },
    [sc.symbol('Admin'), sc.address(alice)],
    [sc.symbol('BLNDTkn'), sc.address(blnd)],
    [sc.symbol('Backstop'), sc.address(of)],
    [sc.symbol('Config'), sc.struct(config)],
    [sc.symbol('Name'), sc.string('Scene')],
  )
}

export const reserveList = (...assets: ContractId[]): ScVal => sc.vec(...assets.map((asset) => sc.address(asset)))
export const configKey = (asset: ContractId): ScVal => keyed('ResConfig', sc.address(asset))
export const dataKey = (asset: ContractId): ScVal => keyed('ResData', sc.address(asset))
export const listing = (of: ContractId, by: ContractId = factory): MadeRecord =>
  entry(by, keyed('Contracts', sc.address(of)), sc.bool(true))

function setUp(version: BlendVersion): MadeRecord[] {
  return [
    listing(pool),
    entry(pool, sc.instanceKey(), poolInstance(version, 0)),
    entry(pool, sc.symbol('ResList'), reserveList(usdc, xlm)),
    ...[usdc, xlm].flatMap((asset, index) => [
      entry(pool, configKey(asset), reserveConfig(version, index)),
      entry(pool, dataKey(asset), reserveData(version)),
    ]),
  ]
}

/** Ledgers one after the other, in one partition; the pool is made in the first. */
export class Scene {
  readonly network: Network
  readonly adapter
  state: BlendState
  /** Of the ledger that made the pool. */
  readonly first: Rows
  readonly #slicer: Slicer
  #ledger = 0

  constructor(
    version: BlendVersion = 'v2',
    knownPools: Network['knownPools'] = [],
    others: Network['deployments']['blend'] = [],
    oracles: Network['oracles'] = [],
  ) {
    this.network = {
      name: 'scene',
      passphrase: 'A scene',
      firstLedger: 1,
      protocols: [],
      deployments: {
        soroswap: [],
        blend: [{ version, factory, backstop, emitter, backstopToken: comet, blnd, usdc, fromLedger: 1 }, ...others],
        aquarius: [],
        fxdao: [],
      },
      oracles,
      pricePools: [],
      usdPegs: [],
      assets: Object.fromEntries(
        [blnd, usdc, xlm].map((id, n) => [id, { code: ['BLND', 'USDC', 'XLM'][n] ?? '', issuer: null, decimals: 7, tags: [] }]),
      ),
      knownPools,
    }
    this.adapter = blend.adapter(this.network)
    this.state = this.adapter.load([], 0)
    this.#slicer = new Slicer(this.network, blend.routing, 1)
    this.first = this.ledger(setUp(version))
  }

  /** Folds a ledger with these operations, one transaction each. */
  ledger(...operations: readonly (readonly MadeRecord[])[]): Rows {
    const sequence = ++this.#ledger
    const hash = sequence.toString(16).padStart(64, '0')
    const [slice] = this.#slicer.feed({
      header: { sequence, closeTimeSeconds: START + sequence * 600, hash, previousHash: hash, protocolVersion: 27 },
      transactions: operations.map((_, n) => ({
        hash: `${sequence}${n}`.padStart(64, '0'),
        txOrder: n + 1,
        source,
        feeSource: null,
        feeCharged: null,
        memo: null,
        innerHash: null,
      })),
      records: operations.flatMap((records, tx) => numbered(records).map((record) => ({ ...record, tx, opIndex: 0 }))),
    })
    if (slice === undefined) throw new Error('one partition makes one slice')
    return this.adapter.fold(this.state, slice)
  }

  /** The newest ledger, as a reader asks for it. */
  get at(): { readonly ledger: number; readonly closeTimeSeconds: number } {
    return { ledger: this.#ledger, closeTimeSeconds: START + this.#ledger * 600 }
  }

  /** Lets ledgers pass in which nothing happens. */
  pass(count: number): void {
    for (let n = 0; n < count; n++) this.ledger()
  }
}

/** Each kind of record counts for itself. */
function numbered(records: readonly MadeRecord[]): (MadeRecord & { readonly index: number })[] {
  const counts = { event: 0, entry: 0, call: 0, evicted: 0 }
  return records.map((record) => ({ ...record, index: counts[record.kind]++ }))
}
