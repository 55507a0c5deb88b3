// Rows of a log, folded in memory as adapters do.

import { type EventLog, sliceTopic } from '@orrery/event-log'
import type { Network, Protocol, Rows } from '@orrery/protocol-kit'
import { foldAll } from '@orrery/testkit'
import { storedSlices } from './log-content.ts'

/** All rows of one protocol, of every partition, up to a ledger. */
export async function foldedRows(
  log: EventLog,
  network: Network,
  protocol: Protocol<unknown>,
  partitions: number,
  last = Number.POSITIVE_INFINITY,
): Promise<Rows> {
  const all: Rows[] = []
  for (let partition = 0; partition < partitions; partition++) {
    const slices = await storedSlices(log, { topic: sliceTopic(network.name, protocol.id), partition })
    const upToLast = slices.filter(({ ledger }) => ledger <= last)
    for (const { rows } of foldAll(upToLast, protocol.adapter(network))) all.push(rows)
  }
  return {
    state: all.flatMap((rows) => rows.state),
    prices: all.flatMap((rows) => rows.prices),
    positionSnapshots: all.flatMap((rows) => rows.positionSnapshots),
    reserveSnapshots: all.flatMap((rows) => rows.reserveSnapshots),
    poolSnapshots: all.flatMap((rows) => rows.poolSnapshots),
    activities: all.flatMap((rows) => rows.activities),
    transactions: all.flatMap((rows) => rows.transactions),
    notices: all.flatMap((rows) => rows.notices),
  }
}
