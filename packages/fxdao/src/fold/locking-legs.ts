// Locked stakes as actions: an account locks an asset, takes it back with its rewards, or an account pays rewards in.

import type { Action, Leg } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { Move } from './money.ts'
import { ownLeg } from './own-leg.ts'
import type { StakeAction } from './stake-actions.ts'

const FUNCTIONS: Readonly<Record<StakeAction['kind'], string>> = { lock: 'deposit', unlock: 'withdraw', distribute: 'distribute' }
const TYPES = { lock: 'stake', unlock: 'unstake', distribute: 'emission' } as const

/** @param events Number of the operation's events: calls are numbered after them. */
export function stakeAction(action: StakeAction, events: number): Action {
  const { kind, contract, owner, asset, moved, reward, seen } = action
  return {
    type: TYPES[kind],
    eventIndex: seen === null ? moved.index : events + seen.index,
    confidence: seen === null ? 0.9 : 1,
    metadata: {
      event: FUNCTIONS[kind],
      ...(kind === 'distribute' ? { staked_asset: asset } : {}),
      ...(seen === null ? { attribution: 'transfers' } : {}),
    },
    legs: [
      leg(contract, owner, moved, kind === 'unlock' ? 'out' : 'in'),
      ...(reward === null ? [] : [{ ...leg(contract, owner, reward, 'out'), type: 'claim' as const }]),
    ],
  }
}

function leg(contract: ContractId, address: Address, { token: asset, amount }: Move, direction: 'in' | 'out'): Leg {
  return ownLeg({ contract, address, counterparty: contract, asset, amount, direction, volume: true })
}
