// What the entries of one ledger changed in value, for snapshots and costs. A longer TTL is no change.

import { getOrMake } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { PairInstance } from '../chain/entries.ts'
import type { PairContents, PairState } from './state.ts'

export class Changes {
  readonly pairs = new Set<PairState>()
  /** Shares at the ledger's start, of the holders whose shares changed. */
  readonly sharesBefore = new Map<PairState, Map<Address, bigint>>()
  /** Changed pairs as they were at the ledger's start, where their instance was known. */
  readonly pairsBefore = new Map<PairState, PairContents>()

  /** The pair's instance changed from `before`. */
  instance(pair: PairState, before: PairInstance | null): void {
    this.pairs.add(pair)
    if (before === null || this.pairsBefore.has(pair)) return
    this.pairsBefore.set(pair, { instance: before, balances: new Map(pair.balances) })
  }

  /** The pair's balance of a token changed from `before`. */
  balance(pair: PairState, token: ContractId, before: bigint | null): void {
    this.pairs.add(pair)
    if (pair.instance === null || this.pairsBefore.has(pair)) return
    const balances = new Map(pair.balances)
    if (before === null) balances.delete(token)
    else balances.set(token, { value: before, liveUntil: 0 })
    this.pairsBefore.set(pair, { instance: pair.instance.value, balances })
  }

  /** The holder's shares changed from `before`. */
  shares(pair: PairState, holder: Address, before: bigint): void {
    this.pairs.add(pair)
    const ofPair = getOrMake(this.sharesBefore, pair, () => new Map<Address, bigint>())
    if (!ofPair.has(holder)) ofPair.set(holder, before)
  }
}
