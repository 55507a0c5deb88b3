// Questions about one pool whose partition is quarantined: what it is now is not known, so they are refused, unless they are about a ledger up to which
// its rows are complete. Answers about several pools leave it out; the read model does that.

import { OrreryError } from '@orrery/errors'
import { contractBytes, isContractId } from '@orrery/ledger'
import { partitionOf } from '@orrery/protocol-kit'
import { type LedgerTime, type Quarantine, quarantinesOf } from '@orrery/read-model'
import { narrowLedger } from './params/integer.ts'
import { readersOf } from './readers/index.ts'
import type { RouteContext } from './route.ts'
import { indexFacts } from './routes/index-facts.ts'

const RETRY_AFTER_SECONDS = 60

/** The last ledger that a request asks for; undefined: the last indexed one, or one that only its time names. */
export function lastLedgerAsked({ as_of_ledger: asOf, to_ledger: to }: Readonly<Record<string, unknown>>): number | undefined {
  const asked = asOf ?? to
  return typeof asked === 'bigint' ? narrowLedger(asked) : undefined
}

/** For questions about one pool. @param id Its contract, or `fxdao:USD`; undefined: the question is about several. @throws 503 `pool_quarantined`. */
export async function refuseQuarantined(id: string | undefined, context: RouteContext): Promise<void> {
  if (id === undefined) return
  const asked = context.call.asOf ?? Number.POSITIVE_INFINITY
  for (const quarantine of quarantinesOf(await context.readModel.tip())) {
    if (quarantine.ledger >= asked || !mayOwn(quarantine, id)) continue
    if (await isPoolOf(quarantine, id, context)) throw quarantined(id, quarantine)
  }
}

/** By the hash alone: the contract may belong to another protocol. */
function mayOwn({ partition, partitions }: Quarantine, id: string): boolean {
  return partitions === 1 || (isContractId(id) && partitionOf(contractBytes(id), partitions) === partition)
}

/** Whether the protocol had the pool at the last ledger of which the partition has everything. */
async function isPoolOf({ protocol, ledger }: Quarantine, id: string, context: RouteContext): Promise<boolean> {
  const { first } = await indexFacts(context)
  const reader = readersOf(context).find((one) => one.protocol === protocol)
  const closeTimeSeconds = await context.readModel.closeTimeOf(ledger, context.call)
  if (first === null || reader === undefined || closeTimeSeconds === null) return false
  const last: LedgerTime = { ledger, closeTimeSeconds }
  return (await reader.onePool(id, { at: last, indexed: { first, last } })).entry !== null
}

function quarantined(id: string, { protocol, partition, ledger }: Quarantine): OrreryError {
  return new OrreryError(
    'unavailable',
    'pool_quarantined',
    `The pool \`${id}\` is indexed up to ledger ${ledger}: partition ${partition} of ${protocol} is quarantined.`,
    { context: { retryAfterSeconds: RETRY_AFTER_SECONDS } },
  )
}
