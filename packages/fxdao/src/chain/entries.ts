// Readers of every contract-data entry of FxDAO's contracts, one for each key. Names and scales as on chain, in camelCase.
// Core settings, currencies and their totals are in the instance of the vaults; each vault is a separate entry.
// Source: FxDAO/FxDAO-SC contracts/vaults/src/storage/{core,currencies,vaults}.rs, contracts/locking-pool/src/storage/*.rs.

import { flag, integer, isInstanceKey, nullable, object, text, type ValueOf } from '@orrery/fold-kit'
import {
  type Address,
  address,
  any,
  bool,
  type ContractId,
  matches,
  readInstance,
  sc,
  struct,
  symbol,
  tuple,
  u64,
  u128,
  variant,
  writeScVal,
} from '@orrery/ledger'

/** A fee or ratio of 100 %. */
export const RATE_ONE = 10_000_000n
/** Of the collateral and of every coin: the contract counts nothing else. */
export const DECIMALS = 7

const VaultKeyShape = struct({ account: address, denomination: symbol, index: u128 })
const OptionalVaultKey = variant({ None: [], Some: [VaultKeyShape] })

/** A place in the list of a currency. */
export type VaultName = ValueOf<ReturnType<typeof vaultName>>
const vaultName = (prefix: string) => object({ account: text, index: integer }, prefix)

function nameOf(key: { name: 'None' } | { name: 'Some'; values: readonly [VaultName] }): VaultName | null {
  return key.name === 'None' ? null : { account: key.values[0].account, index: key.values[0].index }
}

export const coreState = object({
  admin: text,
  collateral: text,
  /** Of collateral paid in, and of the whole collateral at a full repayment; RATE_ONE = 100 %. */
  fee: integer,
  oracle: text,
  panic: flag,
  manager: text,
  stableIssuer: text,
  treasury: text,
})
export type CoreState = ValueOf<typeof coreState>

export const currencyValue = object({
  active: flag,
  /** The coin's token contract. */
  coin: text,
})
export type Currency = ValueOf<typeof currencyValue>

/** Conditions and stored totals of one currency. After evictions the stored debt is not the sum of the vaults' debts. */
export const currencyTotals = object({
  lowest: nullable(vaultName('lowest')),
  /** Collateral ratio below which a vault may be liquidated; RATE_ONE = 100 %. */
  minimumRatio: integer,
  minimumDebt: integer,
  /** Collateral ratio that opening, withdrawing and borrowing must leave. */
  openingRatio: integer,
  collateral: integer,
  debt: integer,
  vaults: integer,
})
export type CurrencyTotals = ValueOf<typeof currencyTotals>

const CoreShape = struct({
  admin: address,
  col_token: address,
  fee: u128,
  oracle: address,
  panic_mode: bool,
  protocol_manager: address,
  stable_issuer: address,
  treasury: address,
})
const CurrencyShape = struct({ active: bool, contract: address })
const TotalsShape = struct({
  lowest_key: OptionalVaultKey,
  min_col_rate: u128,
  min_debt_creation: u128,
  opening_col_rate: u128,
  total_col: u128,
  total_debt: u128,
  total_vaults: u64,
})

const InstanceKeyShape = variant({ Currency: [symbol], VaultsInfo: [symbol], CoreState: [] })

/** The instance of the vaults. Members are null or empty before they are set up. */
export interface VaultsInstance {
  readonly core: CoreState | null
  readonly currencies: ReadonlyMap<string, Currency>
  readonly totals: ReadonlyMap<string, CurrencyTotals>
}

/**
 * Null when a part has an unknown shape: the contract is upgraded in place, and that must not stop the fold.
 * @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance.
 */
export function readVaultsInstance(value: Uint8Array, vaults: ContractId): VaultsInstance | null {
  let core: CoreState | null = null
  const currencies = new Map<string, Currency>()
  const totals = new Map<string, CurrencyTotals>()
  for (const entry of readInstance(value, { contract: vaults, what: 'vaults instance' }).entries) {
    const key = matches(InstanceKeyShape, entry.key)
    if (key?.name === 'CoreState') {
      const read = matches(CoreShape, entry.value)
      if (read === null) return null
      const { col_token: collateral, panic_mode: panic, protocol_manager: manager, stable_issuer: stableIssuer, ...same } = read
      core = { ...same, collateral, panic, manager, stableIssuer }
    } else if (key?.name === 'Currency') {
      const read = matches(CurrencyShape, entry.value)
      if (read === null) return null
      currencies.set(key.values[0], { active: read.active, coin: read.contract })
    } else if (key?.name === 'VaultsInfo') {
      const read = matches(TotalsShape, entry.value)
      if (read === null) return null
      totals.set(key.values[0], {
        lowest: nameOf(read.lowest_key),
        minimumRatio: read.min_col_rate,
        minimumDebt: read.min_debt_creation,
        openingRatio: read.opening_col_rate,
        collateral: read.total_col,
        debt: read.total_debt,
        vaults: read.total_vaults,
      })
    }
  }
  return { core, currencies, totals }
}

/** One account's vault of one currency: at most one each, so owner and denomination identify it. The index changes with every action. */
export const vaultValue = object({
  /** floor(10^9 · collateral / debt): its place in the list, lowest first to be redeemed. */
  index: integer,
  next: nullable(vaultName('next')),
  collateral: integer,
  debt: integer,
})
export type Vault = ValueOf<typeof vaultValue>

const VaultsEntryKey = variant({ Vault: [tuple(address, symbol)], VaultIndex: [any] })

/** A parsed key of the vaults. `index`: the vault's own index, which the vault's entry has as well. */
export function readVaultsKey(key: Uint8Array) {
  if (isInstanceKey(key)) return { kind: 'instance' } as const
  const read = matches(VaultsEntryKey, key)
  if (read === null) return { kind: 'unknown' } as const
  if (read.name === 'VaultIndex') return { kind: 'index' } as const
  const [owner, denomination] = read.values[0]
  return { kind: 'vault', owner, denomination } as const
}

/** Key of a vault's entry. */
export function vaultKey(owner: Address, denomination: string): Uint8Array {
  return writeScVal(sc.vec(sc.symbol('Vault'), sc.vec(sc.address(owner), sc.symbol(denomination))))
}

const VaultShape = struct({ index: u128, next_key: OptionalVaultKey, total_collateral: u128, total_debt: u128 })

/** Null when the value has another shape. */
export function readVault(value: Uint8Array): Vault | null {
  const read = matches(VaultShape, value)
  return read === null ? null : { index: read.index, next: nameOf(read.next_key), collateral: read.total_collateral, debt: read.total_debt }
}

/** A pool of locked stakes of one asset. */
export const lockingPool = object({
  active: flag,
  balance: integer,
  deposits: integer,
  /** Rewards of a unit that was locked from the beginning, RATE_ONE = one unit. */
  factor: integer,
  lockSeconds: integer,
  minimumDeposit: integer,
})
export type LockingPool = ValueOf<typeof lockingPool>

/** What one account has locked of one asset. */
export const lockedDeposit = object({
  amount: integer,
  /** The pool's factor when it was locked. */
  snapshot: integer,
  /** Unix seconds. */
  unlocksAt: integer,
})
export type LockedDeposit = ValueOf<typeof lockedDeposit>

const LockingEntryKey = variant({ Pool: [address], Deposit: [tuple(address, address)] })

/** A parsed key of a locking pool. */
export function readLockingKey(key: Uint8Array) {
  if (isInstanceKey(key)) return { kind: 'instance' } as const
  const read = matches(LockingEntryKey, key)
  if (read === null) return { kind: 'unknown' } as const
  if (read.name === 'Pool') return { kind: 'pool', asset: read.values[0] } as const
  const [asset, owner] = read.values[0]
  return { kind: 'deposit', asset, owner } as const
}

/** Key of what an account has locked of an asset. */
export function depositKey(asset: ContractId, owner: Address): Uint8Array {
  return writeScVal(sc.vec(sc.symbol('Deposit'), sc.vec(sc.address(asset), sc.address(owner))))
}

const LockingPoolShape = struct({ active: bool, balance: u128, deposits: u64, factor: u128, lock_period: u64, min_deposit: u128 })
const LockedDepositShape = struct({ amount: u128, snapshot: u128, unlocks_at: u64 })

/** Null when the value has another shape. */
export function readLockingPool(value: Uint8Array): LockingPool | null {
  const read = matches(LockingPoolShape, value)
  if (read === null) return null
  const { lock_period: lockSeconds, min_deposit: minimumDeposit, ...same } = read
  return { ...same, lockSeconds, minimumDeposit }
}

/** Null when the value has another shape. */
export function readLockedDeposit(value: Uint8Array): LockedDeposit | null {
  const read = matches(LockedDepositShape, value)
  return read === null ? null : { amount: read.amount, snapshot: read.snapshot, unlocksAt: read.unlocks_at }
}

const LockingInstanceKey = variant({ RewardsAsset: [] })

/**
 * The instance of a locking pool: the asset that rewards are paid in, null before it is set. Null as a whole when it has an unknown shape.
 * @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance.
 */
export function readLockingInstance(value: Uint8Array, contract: ContractId): { readonly rewardsAsset: ContractId | null } | null {
  const { entries } = readInstance(value, { contract, what: 'locking pool instance' })
  const stored = entries.find(({ key }) => matches(LockingInstanceKey, key) !== null)
  const rewardsAsset = stored === undefined ? null : matches(address, stored.value)
  return stored !== undefined && rewardsAsset === null ? null : { rewardsAsset }
}
