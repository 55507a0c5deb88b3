// A recorded answer beside the state as of its ledger, and the two sides of a comparison with the members of the answer.

import type { ContractId } from '@orrery/ledger'
import type { At } from '@orrery/pricing'
import type { ExpectedAnswer } from '@orrery/testkit'
import type { PoolInstance } from '../src/chain/pool-instance.ts'
import type { AquariusState, Holder, PoolState } from '../src/state/state.ts'

/** One answer with the state as of its ledger. */
export interface Question {
  readonly answer: ExpectedAnswer
  readonly state: AquariusState
  readonly at: At
}

export type Members = Readonly<Record<string, unknown>>

/** Both sides by the names of the answer's members. */
export interface Comparison {
  readonly ours: Members
  readonly theirs: Members
}

export const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))
export const texts = (values: readonly unknown[] | undefined): string[] | undefined => values?.map(String)

export interface Asked {
  readonly pool: PoolState
  readonly instance: PoolInstance
  readonly holder: Holder | undefined
}

export function asked({ answer, state }: Question, contract: ContractId = answer.contract): Asked {
  const pool = state.pools.get(contract)
  const instance = pool?.instance?.value
  if (pool === undefined || instance === undefined) throw new Error(`no pool ${contract} at ${answer.ledger}`)
  return { pool, instance, holder: pool.holders.get(String(answer.address)) }
}

/** Only the members that the answer has: views came with releases. */
export function answered({ answer }: Question, ours: Members): Comparison {
  const names = Object.keys(ours).filter((name) => answer[name] != null)
  const pick = (from: Members) => Object.fromEntries(names.map((name) => [name, from[name]]))
  return { ours: pick(ours), theirs: pick(answer) }
}
