// Token amounts of an operation by its rows and by its token events, summed by holder and compared exactly.

import type { Address, ContractId } from '@orrery/ledger'

/** Raw amounts of one asset that a holder sent and received in one operation. */
export interface Flow {
  readonly sent: bigint
  readonly received: bigint
}

/** One holder and asset of an operation, by rows and by tokens. */
export interface FlowComparison {
  readonly holder: Address
  readonly asset: ContractId
  /** By the rows. */
  readonly rows: Flow
  /** By the events of the tokens. */
  readonly tokens: Flow
}

/** Sums of sent and received amounts by holder. */
export class TokenFlows {
  readonly #flows = new Map<string, Flow>()

  send(holder: Address, asset: ContractId, amount: bigint): void {
    this.#add(holder, asset, { sent: amount, received: 0n })
  }

  receive(holder: Address, asset: ContractId, amount: bigint): void {
    this.#add(holder, asset, { sent: 0n, received: amount })
  }

  flow(holder: Address, asset: ContractId): Flow {
    return this.#flows.get(`${holder} ${asset}`) ?? { sent: 0n, received: 0n }
  }

  /** Every holder and asset of either source. */
  compare(tokens: TokenFlows): FlowComparison[] {
    return [...new Set([...this.#flows.keys(), ...tokens.#flows.keys()])].map((name) => {
      const [holder, asset] = name.split(' ') as [Address, ContractId]
      return { holder, asset, rows: this.flow(holder, asset), tokens: tokens.flow(holder, asset) }
    })
  }

  #add(holder: Address, asset: ContractId, { sent, received }: Flow): void {
    if (sent === 0n && received === 0n) return
    const before = this.flow(holder, asset)
    this.#flows.set(`${holder} ${asset}`, { sent: before.sent + sent, received: before.received + received })
  }
}

/** Amounts of the rows minus amounts of the token events. */
export function excessOf({ rows, tokens }: FlowComparison): Flow {
  return { sent: rows.sent - tokens.sent, received: rows.received - tokens.received }
}

/** Counts of a reconciliation by kind, and all unexplained differences. */
export class Reconciliation {
  readonly #counts = new Map<string, number>()
  readonly unexplained: unknown[] = []

  /** @param kind Null: unexplained, kept with `what`. */
  add(kind: string | null, what: unknown): void {
    if (kind === null) this.unexplained.push(what)
    else this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  /** By kind, in the order of their names. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}
