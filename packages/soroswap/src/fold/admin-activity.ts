// Administration of a factory: its setter and the fee switch.

import { type Action, reportUnexpected } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { type Derivation, ignore, LP_SHARE } from './action.ts'
import type { Operation } from './operation.ts'

/** A change of the factory's settings, by the setter. */
export function adminAction(seen: Operation['factories'][number], derivation: Derivation): Action | null {
  const { contract, owned, index } = seen
  const { operation } = derivation
  const admin = (address: Address, counterparty: Address | '', confidence: Action['confidence'], metadata: Action['metadata']): Action => ({
    type: 'admin',
    eventIndex: index,
    legs: [
      {
        ...LP_SHARE,
        owned,
        contract,
        address,
        counterparty,
        asset: '',
        amount: 0n,
        shares: 0n,
        direction: '',
        volume: false,
        counts: true,
      },
    ],
    confidence,
    metadata: { event: `SoroswapFactory/${seen.name}`, ...metadata },
  })
  switch (seen.name) {
    case 'fee_to':
      return admin(seen.setter, seen.new, 1, { old: seen.old, new: seen.new })
    case 'setter':
      return admin(seen.old, seen.new, 1, { old: seen.old, new: seen.new })
    case 'fees': {
      // The event names no account. The call needs the setter's authorisation: that of the tree's signer, or of the source itself.
      const calls = operation.calls.filter((call) => call.contract === contract)
      const signer = calls.find((call) => call.authorizer !== null)?.authorizer ?? operation.transaction.source
      const known = calls.length > 0
      return admin(signer, '', known ? 0.9 : 0.5, {
        fees_enabled: seen.enabled,
        attribution: known ? 'authorizer' : 'transaction_source',
      })
    }
    case 'new_pair':
    case 'init':
      return ignore(seen, seen.name, derivation)
    case 'unknown':
      return reportUnexpected(seen, seen.reason, derivation)
  }
}
