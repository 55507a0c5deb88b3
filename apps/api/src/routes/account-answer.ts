// The answer about what an account has in one protocol, the same for each kind: a route names what it reads, and how that is shown.

import type { Address, ContractId } from '@orrery/ledger'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { PriceUse } from '../present/price-use.ts'
import { ownState, rowsOf } from '../read-through/own-state.ts'
import type { Moment, Names } from '../readers/protocol-reader.ts'
import type { Answer, RouteContext } from '../route.ts'
import type { Warning } from '../warnings.ts'
import { answerLedger, basisOf, factsOf } from './basis.ts'
import { enrich } from './enrich.ts'
import { missingValues, rangeWarnings } from './warn.ts'

/** What a presenter may use beside the state. */
export interface Shown {
  readonly ledger: number
  /** Prices that are shown or valued with go in. */
  readonly prices: PriceUse
  /** The ledger at which what the account has in a pool was read from an RPC; null: the index has it. */
  readAt(pool: ContractId): number | null
}

interface AccountQuestion<Account extends Names, Data> {
  readonly protocol: ProtocolId
  readonly address: Address
  readonly asOfLedger: bigint | undefined
  /** @param own The account's rows. */
  read(own: Promise<readonly StateRow[]>, moment: Moment): Promise<Account>
  /** `complete`: everything that belongs in totals and rates is known. `warnings`: what else qualifies the values. */
  present(account: Account, shown: Shown): { readonly data: Data; readonly complete: boolean; readonly warnings?: readonly Warning[] }
}

export async function answerAccount<Account extends Names, Data>(
  { protocol, address, asOfLedger, read, present }: AccountQuestion<Account, Data>,
  context: RouteContext,
): Promise<Answer<Data>> {
  const basis = await basisOf([protocol], context)
  const at = await answerLedger(asOfLedger, basis, context)
  const late = asOfLedger === undefined ? basis.late : []
  const asked = ownState({ addresses: [address], protocol, at, late }, context)
  const account = await read(rowsOf(asked), { at, indexed: basis.indexed })
  const own = await asked
  const prices = new PriceUse(at.closeTimeSeconds)
  const readAt = (pool: ContractId): number | null => own.readAt(address, protocol, pool)
  const { data, complete, warnings: others = [] } = present(account, { ledger: at.ledger, prices, readAt })
  const enrichment = await enrich(data, at, prices, context, [account])
  const warnings = [...rangeWarnings(basis, at), ...missingValues(complete, data, enrichment), ...others]
  return {
    data,
    enrichment,
    facts: factsOf(basis, { warnings, prices, own }),
    asOfLedger: asOfLedger === undefined ? undefined : Number(asOfLedger),
    tag: [...basis.tag, ...own.tag],
    cached: own.isOfIndexAlone,
  }
}
