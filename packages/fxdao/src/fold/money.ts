// The token moves of an operation in FxDAO's tokens: the collateral and the coins, in the order of emission.

import { type OperationRecords, readTokenMove, type TokenMove } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'

export interface Move extends TokenMove {
  /** Place among the events of the operation. */
  readonly index: number
  readonly token: ContractId
}

/** All moves of the given tokens. */
export function movesOf({ events }: OperationRecords, tokens: ReadonlySet<ContractId>): Move[] {
  return events.flatMap(({ record }) => {
    if (record.contract === null || !tokens.has(record.contract)) return []
    const move = readTokenMove(record)
    return move === null ? [] : [{ ...move, index: record.index, token: record.contract }]
  })
}

/** Moves that no call has explained yet. A call claims its moves in the order of their emission. */
export class Unclaimed {
  readonly #moves: readonly Move[]
  readonly #claimed = new Set<Move>()

  constructor(moves: readonly Move[]) {
    this.#moves = moves
  }

  /** The first unclaimed move that fits, after event `after`. */
  find(fits: (move: Move) => boolean, after = -1): Move | undefined {
    return this.rest().find((move) => move.index > after && fits(move))
  }

  /** All unclaimed moves that fit, after event `after`. */
  all(fits: (move: Move) => boolean, after: number): Move[] {
    return this.rest().filter((move) => move.index > after && fits(move))
  }

  /** The first unclaimed move after event `after`. */
  next(after: number): Move | undefined {
    return this.find(() => true, after)
  }

  claim(moves: readonly Move[]): void {
    for (const move of moves) this.#claimed.add(move)
  }

  rest(): Move[] {
    return this.#moves.filter((move) => !this.#claimed.has(move))
  }
}

export function isTransfer(token: ContractId, from: Address, to: Address): (move: Move) => boolean {
  return (move) => move.token === token && move.from === from && move.to === to
}

export function isMint(token: ContractId, to: Address): (move: Move) => boolean {
  return (move) => move.token === token && move.from === null && move.to === to
}

export function isBurn(token: ContractId, from: Address): (move: Move) => boolean {
  return (move) => move.token === token && move.from === from && move.to === null
}

/** What they moved together. */
export function sum(moves: readonly Move[]): bigint {
  return moves.reduce((total, { amount }) => total + amount, 0n)
}
