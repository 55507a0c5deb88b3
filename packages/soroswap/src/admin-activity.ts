// Administration of a factory: who may change what, and the fee switch.

import { type Action, wonder } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { type Derivation, ignore, LP_SHARE } from './action.ts'
import type { Operation } from './operation.ts'

/** A change of the factory's settings, by whoever may change them. */
export function adminAction(seen: Operation['factories'][number], derivation: Derivation): Action | null {
  const { event, contract, owned, index } = seen
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
    metadata: { event: `SoroswapFactory/${event.name}`, ...metadata },
  })
  switch (event.name) {
    case 'fee_to':
      return admin(event.setter, event.new, 1, { old: event.old, new: event.new })
    case 'setter':
      return admin(event.old, event.new, 1, { old: event.old, new: event.new })
    case 'fees': {
      // The event names nobody. The call needs the setter's authorisation: that of the tree's signer, or of the source itself.
      const calls = operation.calls.filter((call) => call.contract === contract)
      const signer = calls.find((call) => call.authorizer !== null)?.authorizer ?? operation.transaction.source
      const known = calls.length > 0
      return admin(signer, '', known ? 0.9 : 0.5, {
        fees_enabled: event.enabled,
        attribution: known ? 'authorizer' : 'transaction_source',
      })
    }
    case 'new_pair':
    case 'init':
      return ignore(seen, event.name, derivation)
    case 'unknown':
      return wonder(seen, event.reason, derivation)
  }
}
