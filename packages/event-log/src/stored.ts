// What a partition holds now, read once to its end, for programs that check a log instead of following it.

import type { Slice } from '@orrery/protocol-kit'
import type { EventLog, LogPartition, LogRecord } from './event-log.ts'
import { SliceAssembler } from './slice-assembler.ts'

/** The records of a partition from `offset` to its present end. */
export async function* storedRecords(log: EventLog, at: LogPartition, offset = 0n): AsyncGenerator<LogRecord, undefined> {
  const last = await log.last(at)
  if (last === null || last.offset < offset) return
  for await (const records of log.read(at, offset, new AbortController().signal)) {
    for (const record of records) {
      yield record
      if (record.offset >= last.offset) return
    }
  }
}

/** The slices after `ledger`, each once and in order, as far as they continue without a gap. `offset`: where reading begins. */
export async function* storedSlices(
  log: EventLog,
  at: LogPartition,
  after: { readonly ledger: number; readonly offset: bigint },
): AsyncGenerator<Slice, undefined> {
  const slices = new SliceAssembler()
  let { ledger } = after
  for await (const { value, offset } of storedRecords(log, at, after.offset)) {
    const slice = slices.push(value, offset)
    if (slice === null || slice.ledger <= ledger || slice.after > ledger) continue
    ledger = slice.ledger
    yield slice
  }
}
