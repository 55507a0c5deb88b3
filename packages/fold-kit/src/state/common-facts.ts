// Facts that every protocol declares alike: small positions, the time of a written loss, and tokens.

import type { ContractId } from '@orrery/ledger'
import type { TokenMetadata } from '../token-entries.ts'
import { lossValue, smallValue } from './common-values.ts'
import type { LossMemory } from './loss-writes.ts'
import { factItem, factMember, nameIn, placeIn } from './place.ts'
import type { SmallPositions } from './small-positions.ts'
import { type StateFact, stateEntry } from './state-entry.ts'
import { tokenValue } from './token-facts.ts'

/** Written with snapshots: `rememberSize`. */
export function smallFact<State>(
  positions: (state: State, contract: ContractId) => SmallPositions | null,
  under: string,
): StateFact<State, '@{owner}:small', boolean> {
  return stateEntry<State>()({
    key: '@{owner}:small',
    value: smallValue,
    place: (state, { contract, owner }) => placeIn(positions(state, contract), (of) => nameIn(of, owner)),
    docs: { under, from: 'fact', what: 'there while the newest snapshot of the position is below 1 USD' },
  })
}

/** Written with snapshots: `writesLoss`. */
export function lossFact<State>(
  memory: (state: State, contract: ContractId) => LossMemory | null,
  under: string,
): StateFact<State, 'loss', number> {
  return stateEntry<State>()({
    key: 'loss',
    value: lossValue,
    place: (state, { contract }) => placeIn(memory(state, contract), (of) => factMember(of, 'lossHour')),
    docs: { under, from: 'fact', what: 'hour (since 1970) of the newest loss that wrote all holders' },
  })
}

/** Written by `applyTokenInstance`. */
export function tokenFact<State extends { readonly assets: Map<ContractId, TokenMetadata> }>(): StateFact<State, 'asset', TokenMetadata> {
  return stateEntry<State>()({
    key: 'asset',
    value: tokenValue,
    shared: true,
    place: ({ assets }, { contract }) => factItem(assets, contract),
    docs: {
      under: 'token',
      from: "the token's METADATA, where seen",
      what: 'name and decimals, for tokens without a hint in the registry',
    },
  })
}
