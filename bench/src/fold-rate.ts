// The fold of one protocol without a store: records per second of CPU over the demo network.

import type { Adapter, Protocol, Slice } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { foldAll, recording, slicesOf } from '@orrery/testkit'
import { figure, printLine } from './print.ts'

export function cpuOf<T>(work: () => T): { readonly result: T; readonly seconds: number } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { result, seconds: (user + system) / 1e6 }
}

/** The recording's slices of a protocol, in one partition. */
export async function recordedSlices(protocol: Protocol<unknown>): Promise<Slice[]> {
  const forge = recording()
  const network = await loadNetwork(forge.registryFile)
  const slices: Slice[] = []
  for await (const [slice] of slicesOf(forge, network, protocol.routing, 1)) if (slice !== undefined) slices.push(slice)
  return slices
}

export async function printFoldRate(protocol: Protocol<unknown>, slices: readonly Slice[], rounds: number): Promise<void> {
  const adapter = protocol.adapter(await loadNetwork(recording().registryFile))
  const records = slices.reduce((sum, slice) => sum + slice.records.length, 0)
  // Hours of the recording have six ledgers, those of mainnet 700: without hours this measures records, with them heartbeats.
  const hourless = slices.map((slice) => ({ ...slice, hourStart: false, dayStart: false }))
  for (const [name, of] of [
    ['with a heartbeat every hour', slices],
    ['records alone', hourless],
  ] as const) {
    printLine(`\nThe demo network, ${records} records in one partition, ${name}`)
    for (let round = 1; round <= rounds; round++) {
      const { result: rows, seconds } = cpuOf(() => countRows(of, adapter))
      figure(`round ${round}`, records / seconds, 'records/s', `${(rows / seconds).toFixed(0)} rows/s (goal 50,000 records/s)`)
    }
  }
}

/** Rows are dropped at once, as after a store has written them. */
function countRows(slices: readonly Slice[], adapter: Adapter<unknown>): number {
  let count = 0
  for (const { rows } of foldAll(slices, adapter)) for (const table of Object.values(rows)) count += table.length
  return count
}
