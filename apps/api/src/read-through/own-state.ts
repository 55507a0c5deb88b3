// The state of an account for an answer: the rows of the index, and rows from an RPC for pools in which the index has none.

import { createHash } from 'node:crypto'
import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import { contextAt } from '../readers/registry-as-of.ts'
import type { RouteContext } from '../route.ts'
import type { AccountReading } from './read-through.ts'

/** Rows of the account, and which of them were read from an RPC. */
export class OwnState {
  readonly rows: readonly StateRow[]
  /** False if an RPC was asked, even without a result: the answer then depends on more than the index. */
  readonly isOfIndexAlone: boolean
  readonly #readings: readonly AccountReading[]
  #isReadShown = false

  constructor(indexed: readonly StateRow[], readings: readonly AccountReading[] | null) {
    this.#readings = readings ?? []
    this.rows = [...indexed, ...this.#readings.flatMap(({ rows }) => rows)]
    this.isOfIndexAlone = readings === null
  }

  /** The ledger of the RPC response for a pool; null if the position comes from the index. */
  readAt(protocol: ProtocolId, pool: ContractId): number | null {
    const reading = this.#readings.find((one) => one.protocol === protocol && one.pool === pool)
    if (reading !== undefined) this.#isReadShown = true
    return reading?.asOfLedger ?? null
  }

  /** For `meta.sources`: only if the answer shows a position that was read from the RPC. */
  get sources(): readonly string[] {
    return this.#isReadShown ? ['soroban_rpc'] : []
  }

  /** For the ETag. */
  get tag(): readonly string[] {
    if (this.#readings.length === 0) return []
    return [`read:${createHash('sha256').update(JSON.stringify(this.#readings)).digest('base64url')}`]
  }
}

export interface OwnStateRequest {
  readonly address: Address
  /** Default: all protocols. */
  readonly protocol?: ProtocolId
  readonly at: LedgerTime
  /** Protocols whose index begins after their deployment. Empty for a request with `as_of_ledger`, because an RPC has current entries only. */
  readonly late: readonly ProtocolId[]
}

export async function ownState({ address, protocol, at, late }: OwnStateRequest, context: RouteContext): Promise<OwnState> {
  const { readModel, readThrough, call, organizationId } = context
  const question = { owner: address, ledger: at.ledger, ...(protocol !== undefined && { protocol }) }
  const indexed = await readModel.ownerStateAsOf(question, call)
  const protocols = late.filter((id) => context.protocols.some((built) => built.id === id))
  if (readThrough === null || protocols.length === 0) return new OwnState(indexed, null)
  const { network } = await contextAt(context, at.ledger)
  return new OwnState(indexed, await readThrough.account({ address, organizationId, protocols, own: indexed, at, network, tag: call.tag }))
}

/** Its rows as soon as they are read; of one protocol if `protocol` is given. */
export async function rowsOf(asked: Promise<OwnState>, protocol?: ProtocolId): Promise<readonly StateRow[]> {
  const { rows } = await asked
  return protocol === undefined ? rows : rows.filter((row) => row.protocol === protocol)
}
