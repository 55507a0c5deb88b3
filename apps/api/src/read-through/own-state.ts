// The state of an account that an answer is made of: the rows of the index, and what a node says where the index has none.

import { createHash } from 'node:crypto'
import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import { contextAt } from '../readers/registry-as-of.ts'
import type { RouteContext } from '../route.ts'
import type { AccountReading } from './read-through.ts'

/** Rows of the account, and which of them were read through. */
export class OwnState {
  readonly rows: readonly StateRow[]
  /** A node was to be asked, whatever came of it: so the answer is not of the index alone. */
  readonly isOfIndexAlone: boolean
  readonly #readings: readonly AccountReading[]
  #isReadShown = false

  constructor(indexed: readonly StateRow[], readings: readonly AccountReading[] | null) {
    this.#readings = readings ?? []
    this.rows = [...indexed, ...this.#readings.flatMap(({ rows }) => rows)]
    this.isOfIndexAlone = readings === null
  }

  /** The ledger of the node's answer, for what is shown of a pool; null where the index tells. */
  readAt(protocol: ProtocolId, pool: ContractId): number | null {
    const reading = this.#readings.find((one) => one.protocol === protocol && one.pool === pool)
    if (reading !== undefined) this.#isReadShown = true
    return reading?.asOfLedger ?? null
  }

  /** For `meta`: only where something that was read is shown. */
  get sources(): readonly string[] {
    return this.#isReadShown ? ['soroban_rpc'] : []
  }

  /** For the ETag. */
  get tag(): readonly string[] {
    if (this.#readings.length === 0) return []
    return [`read:${createHash('sha256').update(JSON.stringify(this.#readings)).digest('base64url')}`]
  }
}

export interface OwnQuestion {
  readonly address: Address
  /** Default: all protocols. */
  readonly protocol?: ProtocolId
  readonly at: LedgerTime
  /** Those whose index begins late. None where the question names a ledger: a node answers for now. */
  readonly late: readonly ProtocolId[]
}

export async function ownState({ address, protocol, at, late }: OwnQuestion, context: RouteContext): Promise<OwnState> {
  const { readModel, readThrough, call, organizationId } = context
  const question = { owner: address, ledger: at.ledger, ...(protocol !== undefined && { protocol }) }
  const indexed = await readModel.ownerStateAsOf(question, call)
  const protocols = late.filter((id) => context.protocols.some((built) => built.id === id))
  if (readThrough === null || protocols.length === 0) return new OwnState(indexed, null)
  const { network } = await contextAt(context, at.ledger)
  return new OwnState(indexed, await readThrough.account({ address, organizationId, protocols, own: indexed, at, network, tag: call.tag }))
}

/** Its rows while it is still being read, of one protocol where one is named. */
export async function rowsOf(asked: Promise<OwnState>, protocol?: ProtocolId): Promise<readonly StateRow[]> {
  const { rows } = await asked
  return protocol === undefined ? rows : rows.filter((row) => row.protocol === protocol)
}
