// Locked stakes as actions: an account locks an asset, takes it back with its rewards, or somebody pays rewards in.

import type { Action, Leg, OperationRecords } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { SeenCall } from './calls.ts'
import { DECIMALS } from './entries.ts'
import { isTransfer, type Move, type Unclaimed } from './money.ts'

/** A stake that an operation locked or gave back, for costs. */
export interface StakeMovement {
  readonly contract: ContractId
  readonly asset: ContractId
  readonly owner: Address
  readonly amount: bigint
  readonly kind: 'lock' | 'unlock'
}

export interface ToldStake {
  readonly action: Action
  readonly movement: StakeMovement | null
}

/** What a call of a locking pool did, or null when its tokens did not move. `rewards`: the asset that rewards are paid in. */
export function stakeOfCall(
  seen: SeenCall,
  unclaimed: Unclaimed,
  { events }: OperationRecords,
  rewards: ContractId | null,
): ToldStake | null {
  const { call, contract } = seen
  const place = { eventIndex: events.length + seen.index, confidence: 1 as const, metadata: { event: seen.function } }
  const claimed = (asset: ContractId, from: Address, to: Address, asked?: bigint): Move | undefined => {
    const move = unclaimed.find((it) => isTransfer(asset, from, to)(it) && (asked === undefined || it.amount === asked))
    if (move !== undefined) unclaimed.claim([move])
    return move
  }
  if (call.name === 'lock') {
    const { owner, asset } = call
    const paid = claimed(asset, owner, contract, call.amount)
    if (paid === undefined) return null
    const legs = [leg(contract, owner, asset, paid.amount, 'in')]
    return { action: { ...place, type: 'stake', legs }, movement: { contract, asset, owner, amount: paid.amount, kind: 'lock' } }
  }
  if (call.name === 'unlock') {
    const { owner, asset } = call
    const back = claimed(asset, contract, owner)
    if (back === undefined) return null
    const reward = rewards === null ? undefined : claimed(rewards, contract, owner)
    const legs = [
      leg(contract, owner, asset, back.amount, 'out'),
      ...(reward === undefined || rewards === null
        ? []
        : [{ ...leg(contract, owner, rewards, reward.amount, 'out'), type: 'claim' as const }]),
    ]
    return { action: { ...place, type: 'unstake', legs }, movement: { contract, asset, owner, amount: back.amount, kind: 'unlock' } }
  }
  if (call.name === 'distribute') {
    const paid = rewards === null ? undefined : claimed(rewards, call.caller, contract, call.amount)
    if (paid === undefined || rewards === null) return null
    const metadata = { ...place.metadata, staked_asset: call.asset }
    return {
      action: { ...place, metadata, type: 'emission', legs: [leg(contract, call.caller, rewards, paid.amount, 'in')] },
      movement: null,
    }
  }
  return null
}

function leg(contract: ContractId, address: Address, asset: ContractId, amount: bigint, direction: 'in' | 'out'): Leg {
  return {
    owned: true,
    contract,
    address,
    counterparty: contract,
    asset,
    amount,
    shares: 0n,
    shareType: '',
    shareDecimals: DECIMALS,
    direction,
    volume: true,
    counts: true,
  }
}
