// All state of FxDAO, entry by entry, and the state before the first ledger.

import { amountValue, item, readTokenBalance, StateEntries, smallFact, stateEntry, tokenFact } from '@orrery/fold-kit'
import type { Pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import { deposit, pool, rewardsAsset, stakeCost } from './locking.ts'
import { emptyLocking, type FxdaoState, lockingOf } from './state.ts'
import { collateralCost, debtCost, smallVault, vault } from './vault.ts'
import { core, currency, totals } from './vaults-instance.ts'

export const balance = stateEntry<FxdaoState>()({
  key: 'balance:{token}',
  value: amountValue,
  read: readTokenBalance,
  place: (state, { contract, token }) => item(lockingOf(state, contract)?.balances ?? state.balances, token),
  // An emptied balance may be removed.
  removal: { means: 0n },
  docs: { under: 'vaults, locking pool', from: "the token's `Balance(contract)`", what: 'what the contract really holds' },
})

export const small = smallFact<FxdaoState>((state, contract) => lockingOf(state, contract)?.small ?? null, 'locking pool')
export const token = tokenFact<FxdaoState>()

const VAULTS = [core, currency, totals, vault, collateralCost, debtCost, smallVault, balance]
const LOCKING = [rewardsAsset, pool, deposit, stakeCost, small]

export const ENTRIES = new StateEntries<FxdaoState>([...VAULTS, ...LOCKING, token])

/** FxDAO is one deployment: its list of vaults is global. */
export function emptyState(network: Network, pricing: Pricing): FxdaoState {
  const [deployment] = network.deployments.fxdao
  return {
    ledger: 0,
    vaultsContract: deployment?.vaults ?? '',
    core: null,
    currencies: new Map(),
    totals: new Map(),
    changedLedgers: new Map(),
    vaults: new Map(),
    smallVaults: new Set(),
    balances: new Map(),
    locking: new Map((deployment?.lockingPools ?? []).map((contract) => [contract, emptyLocking(contract)])),
    assets: new Map(),
    pricing: pricing.empty(),
  }
}
