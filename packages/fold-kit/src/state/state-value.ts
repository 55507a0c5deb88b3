// A state row's JSON, read member by member. Integers are decimal strings, so that no digit is lost.
// A fold has written the row: one that cannot be read means a bug in Orrery or a damaged store, and stops the load.

import type { OrreryError } from '@orrery/errors'
import type { StateRow } from '@orrery/protocol-kit'
import type { Cost } from '../cost.ts'
import type { Counters } from '../fee-yield.ts'
import { usdUnits } from '../usd-units.ts'
import { unreadableRow } from './unreadable-row.ts'

export type StateJson = Readonly<Record<string, unknown>>

/** Members by name. @throws OrreryError `corrupt`/`state_unreadable` naming contract, key and ledger. */
export class StateValue {
  readonly #row: StateRow
  readonly #json: StateJson

  constructor(row: StateRow) {
    this.#row = row
    try {
      this.#json = JSON.parse(row.value) as StateJson
    } catch (cause) {
      throw unreadableRow(row, 'value', cause)
    }
  }

  broken(member: string): OrreryError {
    return unreadableRow(this.#row, member)
  }

  /** Whether the member was written: some are written only where they differ from the default. */
  has(member: string): boolean {
    return this.#json[member] !== undefined
  }

  isNull(member: string): boolean {
    return this.#json[member] === null
  }

  /** A member as parsed JSON: lists and maps, which the caller checks. */
  raw(member: string): unknown {
    return this.#json[member]
  }

  flag(member: string): boolean {
    const value = this.#json[member]
    if (typeof value !== 'boolean') throw this.broken(member)
    return value
  }

  text(member: string): string {
    const value = this.#json[member]
    if (typeof value !== 'string') throw this.broken(member)
    return value
  }

  textOrNull(member: string): string | null {
    return this.isNull(member) ? null : this.text(member)
  }

  texts(member: string): readonly string[] {
    const value = this.#json[member]
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw this.broken(member)
    return value
  }

  integer(member: string): bigint {
    const value = this.text(member)
    if (!/^-?\d+$/.test(value)) throw this.broken(member)
    return BigInt(value)
  }

  integers(member: string): readonly bigint[] {
    const values = this.texts(member)
    if (!values.every((value) => /^-?\d+$/.test(value))) throw this.broken(member)
    return values.map(BigInt)
  }

  integerOrNull(member: string): bigint | null {
    return this.isNull(member) ? null : this.integer(member)
  }

  number(member: string): number {
    return Number(this.integer(member))
  }

  /** 1e-8 USD. */
  usd(member: string): bigint {
    return usdUnits(this.text(member))
  }

  usdOrNull(member: string): bigint | null {
    return this.isNull(member) ? null : this.usd(member)
  }

  /** What `costMembers` wrote. */
  cost(): Cost {
    return {
      units: this.integer('units'),
      costUsd: this.usdOrNull('cost_usd'),
      realizedUsd: this.usdOrNull('realized_usd'),
      openedLedger: this.number('opened_ledger'),
      confidence: this.text('confidence') === 'exact' ? 'exact' : 'inferred',
    }
  }

  /** What `counterMembers` wrote. */
  counters(): Counters {
    return {
      sinceSeconds: this.number('since_seconds'),
      atSeconds: this.number('at_seconds'),
      feesUsd: this.usd('fees_usd'),
      lpFeesUsd: this.usd('lp_fees_usd'),
      volumeUsd: this.usd('volume_usd'),
      valueSeconds: this.usd('value_seconds_usd'),
      tvlUsd: this.usd('tvl_usd'),
    }
  }
}

/** The JSON of a row. */
export function stateText(value: StateJson): string {
  return JSON.stringify(value)
}
