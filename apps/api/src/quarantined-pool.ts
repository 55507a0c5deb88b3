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

/** Parameters that name a pool. A currency names the vaults of FxDAO in it. */
const POOL_PARAMETERS = ['pool_id', 'pair', 'currency', 'pool', 'contract'] as const
const RETRY_AFTER_SECONDS = 60

interface Given {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
}

/** The last ledger that a request asks for; undefined: the last indexed one, or one that only its time names. */
export function lastLedgerAsked({ query }: Given): number | undefined {
  const { as_of_ledger: asOf, to_ledger: to } = query
  const asked = asOf ?? to
  return typeof asked === 'bigint' ? narrowLedger(asked) : undefined
}

/** @throws 503 `pool_quarantined`. */
export async function refuseQuarantined(given: Given, context: RouteContext): Promise<void> {
  const pools = poolsOf(given)
  if (pools.length === 0) return
  const tip = await context.readModel.tip()
  const asked = lastLedgerAsked(given) ?? Number.POSITIVE_INFINITY
  const quarantines = quarantinesOf(tip).filter(({ ledger }) => ledger < asked)
  for (const id of pools) {
    for (const quarantine of quarantines) {
      if (mayOwn(quarantine, id) && (await isPoolOf(quarantine, id, context))) throw quarantined(id, quarantine)
    }
  }
}

function poolsOf({ params, query }: Given): string[] {
  return POOL_PARAMETERS.flatMap((name) => {
    const id = params[name] ?? query[name]
    return typeof id !== 'string' ? [] : [name === 'currency' ? `fxdao:${id}` : id]
  })
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
