// A small made-up network: vaults with two currencies, their feed, a locking pool, and ledgers written as lists of calls, events and entries.
// Ledgers are ten minutes apart.

import {
  type Address,
  type CallRecord,
  type ContractId,
  type EntryRecord,
  type EventRecord,
  type EvictionRecord,
  type ScVal,
  sc,
  type TtlRecord,
  writeScVal,
  writeScVals,
} from '@orrery/ledger'
import type { Network, Rows, Slice, StateRow } from '@orrery/protocol-kit'
import { Slicer, testAccount, testContract } from '@orrery/testkit'
import { fxdao } from '../src/protocol.ts'
import type { FxdaoState } from '../src/state/state.ts'

export const [vaults, feed, locking] = [testContract('vaults'), testContract('feed'), testContract('locking')]
export const [xlm, usdx, eurx, lp] = [testContract('xlm'), testContract('usdx'), testContract('eurx'), testContract('lp')]
export const [alice, bob, treasury, source] = [testAccount('alice'), testAccount('bob'), testAccount('treasury'), testAccount('source')]
const COINS: Readonly<Record<string, ContractId>> = { USD: usdx, EUR: eurx, usd: usdx }

export const network: Network = {
  name: 'fixture',
  passphrase: 'A fixture',
  firstLedger: 1,
  protocols: [fxdao],
  deployments: { soroswap: [], blend: [], aquarius: [], fxdao: [{ vaults, lockingPools: [locking], fromLedger: 1 }] },
  oracles: [{ contract: feed, kind: 'fxdao_currencies', base: { kind: 'asset', asset: xlm }, decimals: 7 }],
  pricePools: [],
  usdPegs: [],
  assets: Object.fromEntries([xlm, usdx, eurx, lp].map((id, n) => [id, { code: `T${n}`, issuer: null, decimals: 7, tags: [] }])),
  knownPools: [],
}

type Made<R> = Omit<R, 'tx' | 'opIndex' | 'index'>
export type MadeRecord = Made<EventRecord> | Made<EntryRecord> | Made<CallRecord> | Made<TtlRecord>

/** Whole units, raw. */
export const whole = (amount: number): bigint => BigInt(Math.round(amount * 10_000_000))

function token(name: string, of: ContractId, addresses: readonly Address[], amount: bigint): MadeRecord {
  const topics = writeScVals([sc.symbol(name), ...addresses.map(sc.address)])
  return { kind: 'event', contract: of, type: 'contract', topics, data: writeScVal(sc.i128(amount)) }
}
export const pay = (from: Address, to: Address, amount: bigint, of = xlm): MadeRecord => token('transfer', of, [from, to], amount)
export const mint = (to: Address, amount: bigint, of = usdx): MadeRecord => token('mint', of, [vaults, to], amount)
export const burn = (from: Address, amount: bigint, of = usdx): MadeRecord => token('burn', of, [from], amount)

export function call(contract: ContractId, name: string, ...args: readonly ScVal[]): Made<CallRecord> {
  return { kind: 'call', parent: -1, authorizer: null, contract, function: name, args: writeScVals(args) }
}
const none = sc.vec(sc.symbol('None'))
const vaultArgument = (owner: Address, denomination: string): ScVal =>
  sc.struct({ account: sc.address(owner), denomination: sc.symbol(denomination), index: sc.u128(0n) })

export const calls = {
  open: (owner: Address, debt: bigint, collateral: bigint, denomination = 'USD') =>
    call(vaults, 'new_vault', none, sc.address(owner), sc.u128(debt), sc.u128(collateral), sc.symbol(denomination)),
  pay: (owner: Address, amount: bigint, denomination = 'USD') =>
    call(vaults, 'pay_debt', none, vaultArgument(owner, denomination), none, sc.u128(amount)),
  transfer: (owner: Address, to: Address, denomination = 'USD') =>
    call(vaults, 'transfer_debt', none, vaultArgument(owner, denomination), sc.address(to)),
  redeem: (caller: Address, amount: bigint, denomination = 'USD') =>
    call(vaults, 'redeem', sc.address(caller), sc.symbol(denomination), none, sc.u128(amount)),
  liquidate: (caller: Address, count: number, denomination = 'USD') =>
    call(vaults, 'liquidate', sc.address(caller), sc.symbol(denomination), sc.u32(count)),
}

type Facts = Partial<Pick<EntryRecord, 'change' | 'durability' | 'liveUntil'>>
/** `before` null: the entry is created. `now` null: it is removed. */
export function entry(
  contract: ContractId,
  key: ScVal,
  now: ScVal | null,
  before: ScVal | null = null,
  facts: Facts = {},
): Made<EntryRecord> {
  return {
    kind: 'entry',
    contract,
    key: writeScVal(key),
    durability: 'persistent',
    change: now === null ? 'removed' : before === null ? 'created' : 'updated',
    value: now === null ? null : writeScVal(now),
    before: before === null ? null : writeScVal(before),
    liveUntil: null,
    ...facts,
  }
}

/** Collateral and debt, raw. */
export type Held = readonly [collateral: bigint, debt: bigint]
const vaultValue = (owner: Address, denomination: string, [collateral, debt]: Held): ScVal =>
  sc.struct({
    account: sc.address(owner),
    denomination: sc.symbol(denomination),
    index: sc.u128((1_000_000_000n * collateral) / debt),
    next_key: none,
    total_collateral: sc.u128(collateral),
    total_debt: sc.u128(debt),
  })
export const vaultKey = (owner: Address, denomination = 'USD'): ScVal =>
  sc.vec(sc.symbol('Vault'), sc.vec(sc.address(owner), sc.symbol(denomination)))
export function vault(
  owner: Address,
  now: Held | null,
  before: Held | null = null,
  { denomination = 'USD', ...facts }: Facts & { denomination?: string } = {},
) {
  const value = (held: Held | null) => (held === null ? null : vaultValue(owner, denomination, held))
  return entry(vaults, vaultKey(owner, denomination), value(now), value(before), facts)
}

/** Stored totals of a currency, and its minimum ratio: 110 % by default. */
export type Totals = readonly [collateral: bigint, debt: bigint, vaults: number, minimum?: bigint]
/** A vault of another account stays open, so that the coin of its currency has a par price. */
export const SECURED: Totals = [whole(1_000), whole(100), 1]
export function instance(totals: Readonly<Record<string, Totals>>): ScVal {
  const pairs = Object.entries(totals).flatMap(([denomination, [collateral, debt, count, minimum = 11_000_000n]]) => [
    [
      sc.vec(sc.symbol('Currency'), sc.symbol(denomination)),
      sc.struct({ active: sc.bool(true), contract: sc.address(COINS[denomination] ?? usdx), denomination: sc.symbol(denomination) }),
    ] as const,
    [
      sc.vec(sc.symbol('VaultsInfo'), sc.symbol(denomination)),
      sc.struct({
        denomination: sc.symbol(denomination),
        lowest_key: none,
        min_col_rate: sc.u128(minimum),
        min_debt_creation: sc.u128(whole(1)),
        opening_col_rate: sc.u128(11_500_000n),
        total_col: sc.u128(collateral),
        total_debt: sc.u128(debt),
        total_vaults: sc.u64(BigInt(count)),
      }),
    ] as const,
  ])
  const core = sc.struct({
    ...Object.fromEntries(['admin', 'protocol_manager', 'stable_issuer'].map((name) => [name, sc.address(source)])),
    col_token: sc.address(xlm),
    fee: sc.u128(50_000n),
    oracle: sc.address(feed),
    panic_mode: sc.bool(false),
    treasury: sc.address(treasury),
  })
  return sc.instance({ kind: 'wasm', hash: '18'.repeat(32) }, [sc.vec(sc.symbol('CoreState')), core], ...pairs)
}
export const settings = (now: Parameters<typeof instance>[0], before: Parameters<typeof instance>[0] | null = null) =>
  entry(vaults, sc.instanceKey(), instance(now), before === null ? null : instance(before))

const other = (denomination: string) => sc.vec(sc.symbol('Other'), sc.symbol(denomination))
/** The feed as it is set up, with units of each currency for one XLM. */
export function rates(of: Readonly<Record<string, number>>, seconds: number, isFirst = true): MadeRecord[] {
  const time = sc.u64(BigInt(seconds))
  const temporary = { durability: 'temporary' as const, liveUntil: 1_000_000, change: 'created' as const }
  const setUp = [
    entry(
      feed,
      sc.instanceKey(),
      sc.instance({ kind: 'wasm', hash: '19'.repeat(32) }, [
        sc.vec(sc.symbol('CoreData')),
        sc.struct({ adm: sc.address(source), dp: sc.u32(7), tick: sc.u32(1) }),
      ]),
    ),
    entry(
      feed,
      sc.vec(sc.symbol('AssetsData')),
      sc.struct({ assets: sc.vec(...Object.keys(of).map(other)), base: sc.vec(sc.symbol('Stellar'), sc.address(xlm)) }),
    ),
  ]
  const records = Object.entries(of).flatMap(([denomination, rate]) => {
    const record = sc.struct({ next: sc.void(), price: sc.i128(whole(rate)), timestamp: time })
    const key = sc.vec(sc.symbol('AssetRecord'), sc.struct({ asset: other(denomination), timestamp: time }))
    return [
      entry(feed, key, record, null, temporary),
      entry(feed, sc.vec(sc.symbol('AssetLastStamp'), other(denomination)), time, null, temporary),
    ]
  })
  return isFirst ? [...setUp, ...records] : records
}

export const depositArguments = (asset: ContractId, owner: Address, amount: bigint) => [
  sc.address(asset),
  sc.address(owner),
  sc.u128(amount),
]
const depositValue = (amount: bigint) => sc.struct({ amount: sc.u128(amount), snapshot: sc.u128(0n), unlocks_at: sc.u64(5n) })
export const deposit = (owner: Address, now: bigint | null, before: bigint | null = null, asset = usdx) =>
  entry(
    locking,
    sc.vec(sc.symbol('Deposit'), sc.vec(sc.address(asset), sc.address(owner))),
    now === null ? null : depositValue(now),
    before === null ? null : depositValue(before),
  )
const poolValue = (asset: ContractId, factor: bigint) =>
  sc.struct({
    ...{ active: sc.bool(true), asset: sc.address(asset), balance: sc.u128(whole(100)), deposits: sc.u64(0n) },
    ...{ factor: sc.u128(factor), lock_period: sc.u64(60n), min_deposit: sc.u128(1n) },
  })
export const lockingPool = (asset = usdx, factor = 500_000n, before: bigint | null = null) =>
  entry(locking, sc.vec(sc.symbol('Pool'), sc.address(asset)), poolValue(asset, factor), before === null ? null : poolValue(asset, before))

const START_SECONDS = 1_788_220_800
export const secondsOf = (ledger: number): number => START_SECONDS + ledger * 600

/** Ledgers one after the other, in one partition. */
export class FoldFixture {
  readonly adapter = fxdao.adapter(network)
  state: FxdaoState = this.adapter.load([], 0)
  readonly rows: StateRow[] = []
  readonly #slicer = new Slicer(network, fxdao.routing, 1)
  ledgerNow = 0

  slice(
    operations: readonly (readonly MadeRecord[])[],
    evictions: readonly Omit<EvictionRecord, 'tx' | 'opIndex' | 'index'>[] = [],
  ): Slice {
    const sequence = ++this.ledgerNow
    const hash = sequence.toString(16).padStart(64, '0')
    const records = operations.flatMap((of, tx) => of.map((record, index) => ({ ...record, tx, opIndex: 0, index })))
    const [slice] = this.#slicer.feed({
      header: { sequence, closeTimeSeconds: secondsOf(sequence), hash, previousHash: hash, protocolVersion: 27 },
      transactions: operations.map((_, n) => ({
        hash: `${sequence}${n}`.padStart(64, '0'),
        txOrder: n + 1,
        source,
        feeSource: null,
        feeCharged: null,
        memo: null,
        innerHash: null,
      })),
      records: [...records, ...evictions.map((record, index) => ({ ...record, tx: -1, opIndex: 0, index }))],
    })
    if (slice === undefined) throw new Error('one partition makes one slice')
    return slice
  }

  /** Folds a ledger with these operations, one transaction each. */
  ledger(...operations: readonly (readonly MadeRecord[])[]): Rows {
    return this.#fold(this.slice(operations))
  }

  /** A ledger at whose end core archives the entry. */
  archive(key: ScVal): Rows {
    return this.#fold(this.slice([], [{ kind: 'evicted', contract: vaults, key: writeScVal(key), durability: 'persistent' }]))
  }

  #fold(slice: Slice): Rows {
    const rows = this.adapter.fold(this.state, slice)
    this.rows.push(...rows.state)
    return rows
  }
}
