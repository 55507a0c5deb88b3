// Events of one operation -> actions. Router, pair and token events report one movement three times; it becomes one action.
// The rules look at events only, so every partition that an operation touches derives the same whole action.
// Source: docs/protocols/soroswap.md, "Activities".

import { type Action, reportUnexpected, type Unused } from '@orrery/fold-kit'
import { type Derivation, type Derived, ignore, type Movement } from './action.ts'
import { adminAction } from './admin-activity.ts'
import { claimEvents } from './claims.ts'
import type { Directory } from './directory.ts'
import { liquidityAction } from './liquidity-activity.ts'
import type { Operation } from './operation.ts'
import { shareAction, skimAction } from './share-activity.ts'
import { swapAction } from './swap-activity.ts'

/** All actions of the operation's events, in their order. */
export function deriveActions(operation: Operation, directory: Directory): Derived {
  const claims = claimEvents(operation)
  const actions: Action[] = []
  const movements: Movement[] = []
  const unused: Unused[] = []
  const derivation: Derivation = { operation, directory, claims, movements, unused }

  for (const seen of operation.pairs) {
    const action = pairAction(seen, derivation)
    if (action !== null) actions.push(action)
  }
  for (const seen of operation.factories) {
    const action = adminAction(seen, derivation)
    if (action !== null) actions.push(action)
  }
  // No partition owns a router's events: the partition that writes the transaction's row reports them.
  for (const seen of operation.routers)
    if (operation.writesTransaction && seen.name === 'unknown')
      unused.push({ contract: seen.contract, reason: seen.reason, expected: false })
  actions.sort((a, b) => a.eventIndex - b.eventIndex)
  return { actions, movements, unused }
}

function pairAction(seen: Operation['pairs'][number], derivation: Derivation): Action | null {
  switch (seen.name) {
    case 'deposit':
    case 'withdraw':
      return liquidityAction(seen, derivation)
    case 'swap': {
      const path = derivation.claims.paths.get(seen)
      return path === undefined ? null : swapAction(path, derivation)
    }
    case 'skim':
      return skimAction(seen, derivation)
    case 'mint':
    case 'burn':
    case 'transfer':
      return derivation.claims.absorbed.has(seen) ? null : shareAction(seen, derivation)
    case 'sync':
    case 'approve':
      return ignore(seen, seen.name, derivation)
    case 'unknown':
      return reportUnexpected(seen, seen.reason, derivation)
  }
}
