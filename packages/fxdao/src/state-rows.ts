// State as rows and back. One key names one thing; integers stand in the JSON as decimal strings, so that nothing loses a digit.

import { type Cost, costMembers, SMALL_KEY, StateValue, stateText, TOKEN_KEY, tokenOfValue } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { StateRow } from '@orrery/protocol-kit'
import type { CoreState, Currency, CurrencyTotals, LockedDeposit, LockingPool, Vault, VaultName } from './entries.ts'
import { emptyLocking, type FxdaoState, type LockingState, stakeOf, vaultName, vaultOf } from './state.ts'

/** Keys of state. What belongs to an account begins with `@`, everything else with a letter. */
export const stateKey = {
  /** Under the vaults contract. */
  core: 'core',
  currency: (denomination: string) => `currency:${denomination}`,
  totals: (denomination: string) => `totals:${denomination}`,
  vault: (owner: Address, denomination: string) => `@${owner}:vault:${denomination}`,
  collateralCost: (owner: Address, denomination: string) => `@${owner}:collateral_cost:${denomination}`,
  debtCost: (owner: Address, denomination: string) => `@${owner}:debt_cost:${denomination}`,
  /** Written with snapshots: `rememberSize`. */
  smallVault: (owner: Address, denomination: string) => `@${owner}:${SMALL_KEY}:${denomination}`,
  /** Under the vaults contract and under a locking pool. */
  balance: (token: ContractId) => `balance:${token}`,
  /** Under a locking pool. */
  rewardsAsset: 'rewards_asset',
  pool: (asset: ContractId) => `pool:${asset}`,
  deposit: (owner: Address, asset: ContractId) => `@${owner}:deposit:${asset}`,
  stakeCost: (owner: Address, asset: ContractId) => `@${owner}:cost:${asset}`,
  small: (owner: Address) => `@${owner}:${SMALL_KEY}`,
  /** Under a token. */
  asset: TOKEN_KEY,
}

export const encode = {
  core: (it: CoreState): string =>
    stateText({
      admin: it.admin,
      collateral: it.collateral,
      fee: it.fee.toString(),
      oracle: it.oracle,
      panic: it.panic,
      manager: it.manager,
      stable_issuer: it.stableIssuer,
      treasury: it.treasury,
    }),
  currency: (it: Currency): string => stateText({ active: it.active, coin: it.coin }),
  totals: (it: CurrencyTotals): string =>
    stateText({
      ...nameMembers('lowest', it.lowest),
      minimum_ratio: it.minimumRatio.toString(),
      minimum_debt: it.minimumDebt.toString(),
      opening_ratio: it.openingRatio.toString(),
      collateral: it.collateral.toString(),
      debt: it.debt.toString(),
      vaults: it.vaults.toString(),
    }),
  vault: (it: Vault): string =>
    stateText({
      index: it.index.toString(),
      ...nameMembers('next', it.next),
      collateral: it.collateral.toString(),
      debt: it.debt.toString(),
    }),
  amount: (amount: bigint): string => stateText({ amount: amount.toString() }),
  address: (address: Address): string => stateText({ address }),
  pool: (it: LockingPool): string =>
    stateText({
      active: it.active,
      balance: it.balance.toString(),
      deposits: it.deposits.toString(),
      factor: it.factor.toString(),
      lock_seconds: it.lockSeconds.toString(),
      minimum_deposit: it.minimumDeposit.toString(),
    }),
  deposit: (it: LockedDeposit): string =>
    stateText({ amount: it.amount.toString(), snapshot: it.snapshot.toString(), unlocks_at: it.unlocksAt.toString() }),
  cost: (it: Cost): string => stateText(costMembers(it)),
}

function nameMembers(member: string, name: VaultName | null): Record<string, string | null> {
  return { [`${member}_account`]: name?.account ?? null, [`${member}_index`]: name?.index.toString() ?? null }
}

/**
 * Puts one row into the state. Rows of pricing were taken by pricing before.
 * @throws OrreryError `corrupt`/`state_unreadable` naming contract, key and ledger.
 */
export function takeRow(state: FxdaoState, row: StateRow): void {
  if (row.removed) return
  const value = new StateValue(row)
  if (row.key === stateKey.asset) {
    state.assets.set(row.contract, tokenOfValue(value))
  } else if (row.contract === state.vaultsContract) takeVaultsRow(state, row, value)
  else {
    const locking = state.locking.get(row.contract) ?? emptyLocking(row.contract)
    state.locking.set(row.contract, locking)
    takeLockingRow(locking, row, value)
  }
}

function takeVaultsRow(state: FxdaoState, row: StateRow, value: StateValue): void {
  const { liveUntil, owner } = row
  const [name, denomination] = nameAndRest(row)
  switch (name) {
    case 'core':
      state.core = { value: coreOf(value), liveUntil }
      return
    case 'currency':
      state.currencies.set(denomination, { value: { active: value.flag('active'), coin: value.text('coin') }, liveUntil })
      noteChange(state, denomination, row.ledger)
      return
    case 'totals':
      state.totals.set(denomination, { value: totalsOf(value), liveUntil })
      noteChange(state, denomination, row.ledger)
      return
    case 'balance':
      state.balances.set(denomination, { value: value.integer('amount'), liveUntil })
      return
    case 'vault':
      vaultOf(state, owner, denomination).vault = { value: vaultOfValue(value), liveUntil }
      return
    case 'collateral_cost':
      vaultOf(state, owner, denomination).collateralCost = value.cost()
      return
    case 'debt_cost':
      vaultOf(state, owner, denomination).debtCost = value.cost()
      return
    case SMALL_KEY:
      state.smallVaults.add(vaultName(owner, denomination))
      return
    default:
      throw value.broken('key')
  }
}

function noteChange({ changedLedgers }: FxdaoState, denomination: string, ledger: number): void {
  changedLedgers.set(denomination, Math.max(ledger, changedLedgers.get(denomination) ?? 0))
}

function takeLockingRow(locking: LockingState, row: StateRow, value: StateValue): void {
  const { liveUntil, owner } = row
  const [name, asset] = nameAndRest(row)
  switch (name) {
    case 'rewards_asset':
      locking.rewardsAsset = { value: value.text('address'), liveUntil }
      return
    case 'pool':
      locking.pools.set(asset, { value: poolOf(value), liveUntil })
      return
    case 'balance':
      locking.balances.set(asset, { value: value.integer('amount'), liveUntil })
      return
    case 'deposit':
      stakeOf(locking, owner, asset).deposit = { value: depositOf(value), liveUntil }
      return
    case 'cost':
      stakeOf(locking, owner, asset).cost = value.cost()
      return
    case SMALL_KEY:
      locking.small.add(owner)
      return
    default:
      throw value.broken('key')
  }
}

/** The currency of a vault whose row it is, or of its costs or size; null of what an account has locked. */
export function vaultCurrency(row: StateRow): string | null {
  const [name, rest] = nameAndRest(row)
  const isOfVault = name === 'vault' || name === 'collateral_cost' || name === 'debt_cost' || (name === SMALL_KEY && rest !== '')
  return isOfVault ? rest : null
}

/** `@<owner>:vault:USD` -> vault, USD. `totals:USD` -> totals, USD. */
function nameAndRest({ key, owner }: StateRow): [name: string, rest: string] {
  const own = owner === '' ? key : key.slice(`@${owner}:`.length)
  const colon = own.indexOf(':')
  return colon < 0 ? [own, ''] : [own.slice(0, colon), own.slice(colon + 1)]
}

function coreOf(value: StateValue): CoreState {
  return {
    admin: value.text('admin'),
    collateral: value.text('collateral'),
    fee: value.integer('fee'),
    oracle: value.text('oracle'),
    panic: value.flag('panic'),
    manager: value.text('manager'),
    stableIssuer: value.text('stable_issuer'),
    treasury: value.text('treasury'),
  }
}

function totalsOf(value: StateValue): CurrencyTotals {
  return {
    lowest: nameOf(value, 'lowest'),
    minimumRatio: value.integer('minimum_ratio'),
    minimumDebt: value.integer('minimum_debt'),
    openingRatio: value.integer('opening_ratio'),
    collateral: value.integer('collateral'),
    debt: value.integer('debt'),
    vaults: value.integer('vaults'),
  }
}

function vaultOfValue(value: StateValue): Vault {
  return {
    index: value.integer('index'),
    next: nameOf(value, 'next'),
    collateral: value.integer('collateral'),
    debt: value.integer('debt'),
  }
}

function nameOf(value: StateValue, member: string): VaultName | null {
  const account = value.textOrNull(`${member}_account`)
  return account === null ? null : { account, index: value.integer(`${member}_index`) }
}

function poolOf(value: StateValue): LockingPool {
  return {
    active: value.flag('active'),
    balance: value.integer('balance'),
    deposits: value.integer('deposits'),
    factor: value.integer('factor'),
    lockSeconds: value.integer('lock_seconds'),
    minimumDeposit: value.integer('minimum_deposit'),
  }
}

function depositOf(value: StateValue): LockedDeposit {
  return { amount: value.integer('amount'), snapshot: value.integer('snapshot'), unlocksAt: value.integer('unlocks_at') }
}
