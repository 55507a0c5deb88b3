// The state of one or several accounts for an answer: the rows of the index, and rows from an RPC for pools in which the index has none.

import { createHash } from 'node:crypto'
import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import { awaitedLater } from '../awaited-later.ts'
import { limitConcurrency } from '../limit-concurrency.ts'
import { contextAt } from '../readers/registry-as-of.ts'
import type { RouteContext } from '../route.ts'
import type { AccountReading, ReadThrough } from './read-through.ts'

interface OwnReading extends AccountReading {
  readonly address: Address
}

/** Rows of the accounts, and which of them were read from an RPC. */
export class OwnState {
  readonly rows: readonly StateRow[]
  /** False if an RPC was asked, even without a result: the answer then depends on more than the index. */
  readonly isOfIndexAlone: boolean
  readonly #readings: readonly OwnReading[]
  #isReadShown = false

  constructor(indexed: readonly StateRow[], readings: readonly OwnReading[] | null) {
    this.#readings = readings ?? []
    this.rows = [...indexed, ...this.#readings.flatMap(({ rows }) => rows)]
    this.isOfIndexAlone = readings === null
  }

  /** The ledger of the RPC response for an account's position in a pool; null if the position comes from the index. */
  readAt(address: Address, protocol: ProtocolId, pool: ContractId): number | null {
    const reading = this.#readings.find((one) => one.address === address && one.protocol === protocol && one.pool === pool)
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
  readonly addresses: readonly Address[]
  /** Default: all protocols. */
  readonly protocol?: ProtocolId
  readonly at: LedgerTime
  /** Protocols whose index begins after their deployment. Empty for a request with `as_of_ledger`, because an RPC has current entries only. */
  readonly late: readonly ProtocolId[]
}

/** One statement reads the rows of all accounts. */
export async function ownState({ addresses, protocol, at, late }: OwnStateRequest, context: RouteContext): Promise<OwnState> {
  const { readModel, readThrough, call } = context
  const question = { owners: addresses, ledger: at.ledger, ...(protocol !== undefined && { protocol }) }
  const indexed = await readModel.ownerStateAsOf(question, call)
  const protocols = late.filter((id) => context.protocols.some((built) => built.id === id))
  if (readThrough === null || protocols.length === 0) return new OwnState(indexed, null)
  return new OwnState(indexed, await readings({ addresses, at, protocols, indexed }, readThrough, context))
}

/** How many accounts of a request are read from the RPC at once. Once the budget of calls is used up, the rest are left out without waiting. */
const ACCOUNTS_AT_ONCE = 4

async function readings(
  of: {
    readonly addresses: readonly Address[]
    readonly at: LedgerTime
    readonly protocols: readonly ProtocolId[]
    readonly indexed: readonly StateRow[]
  },
  readThrough: ReadThrough,
  context: RouteContext,
): Promise<OwnReading[]> {
  const { at, protocols } = of
  const { organizationId, call, signal } = context
  const { network } = await contextAt(context, at.ledger)
  const rows = Map.groupBy(of.indexed, ({ owner }) => owner)
  const oneOfFew = limitConcurrency(ACCOUNTS_AT_ONCE, Number.POSITIVE_INFINITY)
  const read = of.addresses.map((address) =>
    oneOfFew(async () => {
      const own = rows.get(address) ?? []
      const found = await readThrough.account({ address, organizationId, protocols, own, at, network, tag: call.tag })
      return found.map((reading) => ({ ...reading, address }))
    }, signal),
  )
  return (await Promise.all(read)).flat()
}

/** Its rows as soon as they are read; of one protocol if `protocol` is given. */
export function rowsOf(asked: Promise<OwnState>, protocol?: ProtocolId): Promise<readonly StateRow[]> {
  return awaitedLater(asked.then(({ rows }) => (protocol === undefined ? rows : rows.filter((row) => row.protocol === protocol))))
}
