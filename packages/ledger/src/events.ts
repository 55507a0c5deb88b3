// All contract events of one operation: only the tokens' events show the account that traded through a router.

import type { EventRecord } from './record.ts'
import { skipScVal, skipScVals } from './skip-scval.ts'
import { contractId } from './strkey.ts'

const SYSTEM = 0
const DIAGNOSTIC = 2

/** @param at Offset of the count of events, which were walked before. */
export function readEvents(bytes: Uint8Array, view: DataView, at: number, tx: number, opIndex: number): EventRecord[] {
  const records: EventRecord[] = []
  const count = view.getUint32(at)
  let p = at + 4
  for (let index = 0; index < count; index++) {
    // ContractEvent: ext | has contract | contract b32 | type | body arm | topics | data
    const hasContract = view.getUint32(p + 4) === 1
    const contract = hasContract ? contractId(bytes, p + 8) : null
    const typeAt = hasContract ? p + 40 : p + 8
    const type = view.getUint32(typeAt)
    const topicsAt = typeAt + 8
    const dataAt = skipScVals(view, topicsAt + 4, view.getUint32(topicsAt))
    p = skipScVal(view, dataAt)
    // Diagnostic events have a separate list. One that is here nevertheless counts for the index but is no record.
    if (type === DIAGNOSTIC) continue
    records.push({
      kind: 'event',
      tx,
      opIndex,
      index,
      contract,
      type: type === SYSTEM ? 'system' : 'contract',
      topics: bytes.subarray(topicsAt, dataAt),
      data: bytes.subarray(dataAt, p),
    })
  }
  return records
}
