// Infers the stake actions of an operation: locks, unlocks with their rewards, and rewards paid in. Token moves show what happened and in
// which order, entries show which stake it was, and calls give the name: a contract that acts for itself needs no authorisation.
// Source: FxDAO/FxDAO-SC contracts/locking-pool/src/contract.rs.

import { getOrMake, type OperationRecords } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { Call, SeenCall } from '../chain/calls.ts'
import { RATE_ONE, readLockedDeposit, readLockingKey, readLockingPool } from '../chain/entries.ts'
import type { Move } from './money.ts'

/** An action of an account in a locking pool. */
export interface StakeAction {
  readonly kind: 'lock' | 'unlock' | 'distribute'
  readonly contract: ContractId
  readonly owner: Address
  /** The staked asset, also where rewards were paid in for it. */
  readonly asset: ContractId
  /** The amount locked, returned, or paid in as rewards. */
  readonly moved: Move
  /** Paid with the returned stake. */
  readonly reward: Move | null
  /** Null: no recorded call. */
  readonly seen: SeenCall | null
}

export interface LockingPools {
  readonly lockingPools: ReadonlySet<ContractId>
  rewardsOf(lockingPool: ContractId): ContractId | null
}

/**
 * @param calls Of the operation: those of other contracts are skipped.
 * @param moves Of staked assets and rewards, in the order of emission.
 */
export function inferStakeActions(
  operation: Pick<OperationRecords, 'entries'>,
  calls: readonly SeenCall[],
  moves: readonly Move[],
  pools: LockingPools,
): StakeAction[] {
  const unmatched = new Set(calls)
  const running = new RunningStakes(operation, pools)
  const actions: StakeAction[] = []
  const claimed = new Set<Move>()
  for (const [n, move] of moves.entries()) {
    if (claimed.has(move)) continue
    const stake = paidIn(move, unmatched, running, pools) ?? paidOut(move, moves[n + 1], unmatched, running, pools)
    if (stake === null) continue
    claimed.add(stake.moved)
    actions.push(stake)
  }
  return actions
}

/** An account paid a locking pool: a stake, or rewards for all stakes. */
function paidIn(
  move: Move,
  unmatched: Set<SeenCall>,
  running: RunningStakes,
  { lockingPools, rewardsOf }: LockingPools,
): StakeAction | null {
  const { from: owner, to: contract, token, amount } = move
  if (owner === null || contract === null || !lockingPools.has(contract)) return null
  const paid = { contract, owner, moved: move, reward: null }
  const isReward = rewardsOf(contract) === token
  const seen = takeCall(unmatched, contract, (call) => {
    if (call.name === 'lock') return call.owner === owner && call.asset === token && call.amount === amount
    return call.name === 'distribute' && isReward && call.caller === owner && call.amount === amount
  })
  if (seen?.call.name === 'distribute') return { ...paid, kind: 'distribute', asset: seen.call.asset, seen }
  const stake = running.of(contract, token, owner)
  if (seen !== null || (stake.now === null && stake.after === amount)) {
    stake.now = amount
    return { ...paid, kind: 'lock', asset: token, seen }
  }
  const raised = isReward ? running.takeRaised(contract, amount) : null
  return raised === null ? null : { ...paid, kind: 'distribute', asset: raised, seen }
}

/** A locking pool paid an account: the rewards if there are any, and the whole stake at once after them. */
function paidOut(
  move: Move,
  next: Move | undefined,
  unmatched: Set<SeenCall>,
  running: RunningStakes,
  { lockingPools, rewardsOf }: LockingPools,
): StakeAction | null {
  const { from: contract, to: owner, token } = move
  if (contract === null || owner === null || !lockingPools.has(contract)) return null
  const isStake = (paid: Move | undefined): paid is Move =>
    paid?.from === contract && paid.to === owner && running.of(contract, paid.token, owner).now === paid.amount
  // The rewards asset may be locked as well: a payout that is itself a removed stake is not the reward of another asset's stake.
  const isRemoved = isStake(move) && running.of(contract, token, owner).after !== move.amount
  const hasReward = rewardsOf(contract) === token && isStake(next) && (next.token === token || !isRemoved)
  const stake = hasReward ? next : move
  if (!isStake(stake)) return null
  running.of(contract, stake.token, owner).now = null
  const seen = takeCall(unmatched, contract, (call) => call.name === 'unlock' && call.owner === owner && call.asset === stake.token)
  return { kind: 'unlock', contract, owner, asset: stake.token, moved: stake, reward: hasReward ? move : null, seen }
}

/** Removes and returns the first call that fits. `unmatched`: the calls that are not matched with a move yet. */
function takeCall(unmatched: Set<SeenCall>, contract: ContractId, fits: (call: Call) => boolean): SeenCall | null {
  const seen = [...unmatched].find((it) => it.contract === contract && fits(it.call)) ?? null
  if (seen !== null) unmatched.delete(seen)
  return seen
}

/** What an account has locked of an asset, raw: the running amount within the operation, and the amount after it. Null: nothing. */
interface RunningStake {
  now: bigint | null
  readonly after: bigint | null
}

/** The stakes that an operation touched, and the pools whose stakes it rewarded. */
class RunningStakes {
  readonly #stakes = new Map<string, RunningStake>()
  readonly #raised: { readonly contract: ContractId; readonly asset: ContractId; readonly by: bigint; readonly balance: bigint }[] = []

  constructor({ entries }: Pick<OperationRecords, 'entries'>, { lockingPools }: LockingPools) {
    for (const { record } of entries) {
      const { contract, change, before, value } = record
      if (!lockingPools.has(contract) || change === 'bootstrap') continue
      const key = readLockingKey(record.key)
      if (key.kind === 'deposit') {
        const amountOf = (bytes: Uint8Array | null) => (bytes === null ? null : (readLockedDeposit(bytes)?.amount ?? null))
        this.#stakes.set(`${contract} ${key.asset} ${key.owner}`, { now: amountOf(before), after: amountOf(value) })
      }
      if (key.kind === 'pool' && before !== null && value !== null) {
        const [was, is] = [readLockingPool(before), readLockingPool(value)]
        if (was !== null && is !== null && is.factor > was.factor)
          this.#raised.push({ contract, asset: key.asset, by: is.factor - was.factor, balance: is.balance })
      }
    }
  }

  of(contract: ContractId, asset: ContractId, owner: Address): RunningStake {
    return getOrMake(this.#stakes, `${contract} ${asset} ${owner}`, () => ({ now: null, after: null }))
  }

  /** The asset whose factor rose by what `amount` of rewards gives; or the only asset whose factor rose. */
  takeRaised(contract: ContractId, amount: bigint): ContractId | null {
    const raised = this.#raised.filter((pool) => pool.contract === contract)
    const exact = raised.find(({ by, balance }) => balance > 0n && (amount * RATE_ONE) / balance === by)
    const taken = exact ?? (raised.length === 1 ? raised[0] : undefined)
    if (taken === undefined) return null
    this.#raised.splice(this.#raised.indexOf(taken), 1)
    return taken.asset
  }
}
