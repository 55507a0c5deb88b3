// A pair's balance above its reserves, computed from the events of its tokens: gifts, and tokens that are sent before the call that uses them.
// A deposit, a swap or `skim` uses it (the pair compares its balance with its reserves), a withdraw or `sync` takes it into the reserves.
// Source: soroswap/core contracts/pair/src/lib.rs.

import type { ContractId } from '@orrery/ledger'
import type { TokenMove } from '@orrery/testkit'

export class Surplus {
  readonly #above = new Map<string, bigint>()

  of(pair: ContractId, token: ContractId): bigint {
    return this.#above.get(`${pair} ${token}`) ?? 0n
  }

  /** @param change What the pair got in an operation beyond what its rows have; negative where they used tokens that were there before. */
  change(pair: ContractId, token: ContractId, change: bigint): void {
    this.#above.set(`${pair} ${token}`, this.of(pair, token) + change)
  }

  /** The reserves equal the pair's balance; `later` came after that. */
  sync(pair: ContractId, later: readonly Pick<TokenMove, 'token' | 'amount'>[]): void {
    for (const name of this.#above.keys()) if (name.startsWith(`${pair} `)) this.#above.delete(name)
    for (const { token, amount } of later) this.change(pair, token, amount)
  }
}
