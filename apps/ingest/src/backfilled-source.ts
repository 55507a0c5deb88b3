// A lake for the past and an RPC for the present, as one source: the lake is read to its end, the RPC goes on with the next ledger.
// Neither has to know where the other one begins or ends; what both lack is refused with its range.

import { OrreryError } from '@orrery/errors'
import type { LedgerSource, SourceLedger, SourceRange } from './ledger-source.ts'

/** @param lake A lake that ends: what it gets later is the RPC's to give. */
export function backfilledSource(lake: LedgerSource, rpc: LedgerSource): LedgerSource {
  return {
    describe: `${lake.describe}, then ${rpc.describe}`,
    ends: false,
    entries: rpc.entries,
    passphrase: () => samePassphrase(lake, rpc),
    range: (needed) => rangeOf(lake, rpc, needed),
    read: (from, signal) => read(lake, rpc, from, signal),
  }
}

async function samePassphrase(lake: LedgerSource, rpc: LedgerSource): Promise<string | null> {
  const [ofLake, ofRpc] = [await lake.passphrase(), await rpc.passphrase()]
  if (ofLake === ofRpc) return ofRpc
  const message = `The two sources are not of one network: ${lake.describe} is of "${ofLake}", ${rpc.describe} of "${ofRpc}". Nothing was read. Name a lake and an RPC of the same network.`
  throw new OrreryError('invalid', 'wrong_network', message)
}

async function rangeOf(lake: LedgerSource, rpc: LedgerSource, needed: number | undefined): Promise<SourceRange> {
  const past = await lake.range()
  const behindLake = (past.last ?? 0) + 1
  // The RPC gives what is older than the lake, or else what follows the lake's end.
  const isInLake = needed !== undefined && needed >= past.first
  const present = await rpc.range(isInLake ? Math.max(behindLake, needed) : needed)
  const hole = behindLake < present.first ? { first: behindLake, last: present.first - 1 } : null
  return { ...present, first: Math.min(past.first, present.first), hole }
}

async function* read(lake: LedgerSource, rpc: LedgerSource, from: number, signal: AbortSignal): AsyncIterable<SourceLedger> {
  let next = from
  const { first: lakeFirst } = await lake.range()
  for (;;) {
    const began = next
    if (next >= lakeFirst) {
      for await (const ledger of lake.read(next, signal)) {
        yield ledger
        next = ledger.sequence + 1
      }
    }
    try {
      for await (const ledger of rpc.read(next, signal)) {
        yield ledger
        next = ledger.sequence + 1
      }
      return // stopped
    } catch (error) {
      // The node's window has moved past us. A lake that grows may have those ledgers by now.
      const mayBeInLake = error instanceof OrreryError && error.code === 'ledgers_out_of_range' && next > began
      if (!mayBeInLake) throw error
    }
  }
}
