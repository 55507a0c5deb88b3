// A lake for the past and an RPC for the present, as one source: the lake is read to its end, then the RPC from the next ledger on.
// Neither needs the other's range; ledgers that both lack are refused with their range.

import { OrreryError } from '@orrery/errors'
import type { LedgerSource, SourceLedger, SourceRange } from './ledger-source.ts'

/** @param lake A lake that ends: files that are added to it later are not read, the RPC gives those ledgers. */
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
  // The RPC gives ledgers before the lake's first, or else those after its last.
  const isInLake = needed !== undefined && needed >= past.first
  const present = await rpc.range(isInLake ? Math.max(behindLake, needed) : needed)
  const gap = behindLake < present.first ? { first: behindLake, last: present.first - 1 } : null
  return { ...present, first: Math.min(past.first, present.first), gap }
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
      // The RPC no longer keeps the next ledger. A lake that grows may have it by now.
      const mayBeInLake = error instanceof OrreryError && error.code === 'ledgers_out_of_range' && next > began
      if (!mayBeInLake) throw error
    }
  }
}
