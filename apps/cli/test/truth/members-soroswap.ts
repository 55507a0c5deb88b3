import { all, asks, both, notComparable, state } from './list-members.ts'
import type { KindMembers } from './member.ts'

const refused = 'the contract refuses dust with an error text; of contracts that hold shares the recording did not ask'

export const SOROSWAP_MEMBERS: Readonly<Record<string, KindMembers>> = {
  'soroswap.factory': {
    ...asks(),
    ...all(state('soroswap'), 'all_pairs_length', 'fee_to', 'fee_to_setter', 'fees_enabled'),
  },
  'soroswap.pair': {
    ...asks(),
    ...all(both('soroswap'), 'reserve_0', 'reserve_1', 'balance_0', 'balance_1', 'total_supply'),
    ...all(state('soroswap'), 'token_0', 'token_1', 'k_last', 'own_shares'),
    name: notComparable("a label of the scenario, in its own order of tokens: the contract's own name is Soroswap LP Token"),
  },
  'soroswap.shares': {
    ...asks('address'),
    shares: both('soroswap'),
    ...all({ ways: { '/v1': 'soroswap' }, except: refused }, 'remove_amount_0', 'remove_amount_1'),
  },
}
