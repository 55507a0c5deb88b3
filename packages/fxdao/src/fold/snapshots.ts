// Snapshot rows: the value of a vault, a stake and a currency at the end of a ledger.
// USD in them is fixed at that ledger's prices; heartbeats cover the hours between two actions.
// A currency counts as a pool, named `fxdao:<denomination>`: one contract serves them all.

import { isHeartbeatDue, rememberSize, type Snapshots, type UsdUnits, usdSum, usdSumOfPriced, usdText } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { PoolSnapshotRow, PositionSnapshotRow, ReserveSnapshotRow, Slice } from '@orrery/protocol-kit'
import type { CurrencyTotals } from '../chain/entries.ts'
import { collateralRatio, effectiveCollateral } from '../math/formulas.ts'
import { small } from '../state/entries.ts'
import { type Changes, type LockingState, type StakeState, type VaultState, vaultName } from '../state/state.ts'
import { smallVault } from '../state/vault.ts'
import { poolOfCurrency } from '../view/asset.ts'
import { lockedAmounts } from '../view/reserve.ts'
import type { Valuation } from '../view/valuation.ts'
import type { LedgerEnd } from './ledger-end.ts'
import { currencyReserves, lockingReserves } from './reserve-snapshots.ts'

/** What changed in this ledger, and at the first ledger of an hour everything that is open. Sorted, so that loading a state changes no order. */
export function takeSnapshots(end: LedgerEnd, changes: Changes): Snapshots {
  const { slice } = end
  const { state } = end.valuation
  const positionSnapshots: PositionSnapshotRow[] = []
  const reserveSnapshots: ReserveSnapshotRow[] = []
  const poolSnapshots: PoolSnapshotRow[] = []
  const denominations = slice.hourStart ? state.totals.keys() : changes.currencies
  for (const denomination of [...denominations].sort()) {
    const totals = state.totals.get(denomination)?.value
    const heartbeat = !changes.currencies.has(denomination)
    if (totals === undefined || (heartbeat && totals.collateral === 0n && totals.debt === 0n)) continue
    poolSnapshots.push(currencySnapshot(denomination, totals, end, heartbeat))
    reserveSnapshots.push(...currencyReserves(denomination, totals, end, heartbeat))
  }
  const vaults = slice.hourStart ? state.vaults.values() : changes.vaults
  for (const vault of [...vaults].sort(byName)) positionSnapshots.push(...vaultSnapshot(vault, end, !changes.vaults.has(vault)))
  const lockings = slice.hourStart ? state.locking.values() : changes.locking
  for (const locking of [...lockings].sort((a, b) => (a.contract < b.contract ? -1 : 1))) {
    const rows = lockingSnapshot(locking, end, !changes.locking.has(locking))
    poolSnapshots.push(...rows)
    reserveSnapshots.push(...rows.flatMap(({ heartbeat }) => lockingReserves(locking, end, heartbeat)))
    positionSnapshots.push(...stakeSnapshots(locking, changes.stakes, end))
  }
  return { positionSnapshots, reserveSnapshots, poolSnapshots }
}

function byName(a: VaultState, b: VaultState): number {
  if (a.owner !== b.owner) return a.owner < b.owner ? -1 : 1
  return a.denomination < b.denomination ? -1 : 1
}

function base({ protocol, ledger, closeTimeSeconds }: Slice) {
  return { protocol, ledger, closeTimeSeconds }
}

function vaultSnapshot(
  { owner, denomination, vault }: VaultState,
  { valuation, slice, journal }: LedgerEnd,
  heartbeat: boolean,
): PositionSnapshotRow[] {
  if (heartbeat && vault === null) return []
  const { collateral = 0n, debt = 0n } = vault?.value ?? {}
  const [collateralToken, coin] = tokensOf(valuation, denomination)
  const held = valuation.value(collateralToken, collateral)
  const owed = valuation.value(coin, debt)
  const { vaultsContract, smallVaults } = valuation.state
  const grossUsd = usdSum([held, owed])
  const name = vaultName(owner, denomination)
  if (heartbeat && !isHeartbeatDue(slice, grossUsd, smallVaults.has(name))) return []
  const row = { contract: vaultsContract, key: smallVault.keyOf({ owner, denomination }), owner }
  rememberSize(smallVaults, name, row, { open: vault !== null, grossUsd }, journal)
  const rate = valuation.rate(denomination)
  const native = {
    collateral: collateral.toString(),
    debt: debt.toString(),
    rate: rate?.toString() ?? null,
    collateral_ratio: rate === null || debt === 0n ? null : collateralRatio(rate, collateral, debt).toString(),
  }
  const effective = effectiveValues(held, owed, valuation.state.totals.get(denomination)?.value)
  return [{ ...position(slice, owner, poolOfCurrency(denomination), heartbeat, vault !== null, held, owed), ...effective, native }]
}

/** The health factor is their quotient. A minimum of zero, or an unknown one, bounds nothing. */
function effectiveValues(
  held: UsdUnits | null,
  owed: UsdUnits | null,
  totals: CurrencyTotals | undefined,
): Pick<PositionSnapshotRow, 'effectiveCollateralUsd' | 'effectiveLiabilitiesUsd'> {
  const minimum = totals?.minimumRatio ?? 0n
  const isKnown = held !== null && (held === 0n || minimum > 0n)
  return {
    effectiveCollateralUsd: isKnown ? usdText(held === 0n ? 0n : effectiveCollateral(held, minimum)) : null,
    effectiveLiabilitiesUsd: owed === null ? null : usdText(owed),
  }
}

/** All that an account has locked in one contract is one position. */
function stakeSnapshots(
  locking: LockingState,
  changed: ReadonlySet<StakeState>,
  { valuation, slice, journal }: LedgerEnd,
): PositionSnapshotRow[] {
  const byOwner = Map.groupBy(locking.stakes.values(), ({ owner }) => owner)
  return [...byOwner]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([owner, stakes]) => {
      const heartbeat = !stakes.some((stake) => changed.has(stake))
      const open = stakes.filter(({ deposit }) => deposit !== null).sort((a, b) => (a.asset < b.asset ? -1 : 1))
      if (heartbeat && (open.length === 0 || !slice.hourStart)) return []
      const values = open.map(({ asset, deposit }) => valuation.value(asset, deposit?.value.amount ?? 0n))
      const held = usdSum(values)
      if (heartbeat && !isHeartbeatDue(slice, held, locking.small.has(owner))) return []
      const row = { contract: locking.contract, key: small.keyOf({ owner }), owner }
      rememberSize(locking.small, owner, row, { open: open.length > 0, grossUsd: held }, journal)
      return [
        {
          ...position(slice, owner, locking.contract, heartbeat, open.length > 0, usdSumOfPriced(values), 0n),
          unpricedAssets: values.filter((value) => value === null).length,
          native: { stakes: open.map(({ asset, deposit }) => ({ asset, amount: deposit?.value.amount.toString() ?? '0' })) },
        },
      ]
    })
}

function position(
  slice: Slice,
  address: Address,
  pool: string,
  heartbeat: boolean,
  open: boolean,
  held: UsdUnits | null,
  owed: UsdUnits | null,
): Omit<PositionSnapshotRow, 'native'> {
  const text = (value: UsdUnits | null) => (value === null ? null : usdText(value))
  return {
    ...base(slice),
    address,
    pool,
    heartbeat,
    open,
    suppliedUsd: text(held),
    borrowedUsd: text(owed),
    depositedUsd: text(held),
    netUsd: text(usdSumOfPriced([held, owed === null ? null : -owed])),
    effectiveCollateralUsd: '0',
    effectiveLiabilitiesUsd: '0',
    netApy: null,
    unpricedAssets: (held === null ? 1 : 0) + (owed === null ? 1 : 0),
    shares: 0n,
  }
}

function currencySnapshot(
  denomination: string,
  totals: CurrencyTotals,
  { valuation, slice }: LedgerEnd,
  heartbeat: boolean,
): PoolSnapshotRow {
  const [collateralToken] = tokensOf(valuation, denomination)
  const value = valuation.value(collateralToken, totals.collateral)
  return {
    ...base(slice),
    pool: poolOfCurrency(denomination),
    heartbeat,
    tvlUsd: usdText(value ?? 0n),
    unpricedAssets: value === null ? 1 : 0,
    shareSupply: 0n,
    native: {
      collateral: totals.collateral.toString(),
      debt: totals.debt.toString(),
      vaults: totals.vaults.toString(),
      minimum_ratio: totals.minimumRatio.toString(),
      opening_ratio: totals.openingRatio.toString(),
      rate: valuation.rate(denomination)?.toString() ?? null,
    },
  }
}

/** What accounts have locked. The pool's stored balance still counts what was moved to another pool: docs/protocols/fxdao.md, "Locked stakes". */
function lockingSnapshot(locking: LockingState, { valuation, slice }: LedgerEnd, heartbeat: boolean): PoolSnapshotRow[] {
  const amounts = [...lockedAmounts(locking)]
  if (heartbeat && amounts.length === 0) return []
  const values = amounts.map(([asset, amount]) => valuation.value(asset, amount))
  return [
    {
      ...base(slice),
      pool: locking.contract,
      heartbeat,
      tvlUsd: usdText(values.reduce<UsdUnits>((total, value) => total + (value ?? 0n), 0n)),
      unpricedAssets: values.filter((value) => value === null).length,
      shareSupply: 0n,
      native: { stakes: amounts.map(([asset, amount]) => ({ asset, amount: amount.toString() })) },
    },
  ]
}

function tokensOf({ state }: Valuation, denomination: string): readonly [collateral: ContractId | '', coin: ContractId | ''] {
  return [state.core?.value.collateral ?? '', state.currencies.get(denomination)?.value.coin ?? '']
}
