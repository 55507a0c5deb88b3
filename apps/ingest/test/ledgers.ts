// Sources for tests: ledgers of a lake, held in memory.

import type { LedgerSource, SourceLedger, SourceRange } from '../src/ledger-source.ts'

/** All ledgers of a source that ends. */
export async function ledgersOf(source: LedgerSource): Promise<SourceLedger[]> {
  const ledgers: SourceLedger[] = []
  const { first } = await source.range()
  // Without `release`: they are given to one ingest after another.
  for await (const { sequence, bytes } of source.read(first, new AbortController().signal)) ledgers.push({ sequence, bytes })
  return ledgers
}

export interface Shown {
  /** The newest ledger that the source reports: ingest appends ledgers from there on without coalescing. Its real last ledger when not given. */
  readonly last?: number | null
  readonly passphrase?: string | null
  /** Called before each ledger is returned. */
  readonly before?: (sequence: number) => Promise<void> | void
}

/** A source that ends, with these ledgers. */
export function memorySource(ledgers: readonly SourceLedger[], { last, passphrase = null, before }: Shown = {}): LedgerSource {
  const range: SourceRange = { first: ledgers[0]?.sequence ?? 0, last: last === undefined ? (ledgers.at(-1)?.sequence ?? 0) : last }
  return {
    describe: 'the source of a test',
    ends: true,
    passphrase: async () => passphrase,
    range: async () => range,
    async *read(from, signal) {
      for (const ledger of ledgers) {
        if (ledger.sequence < from) continue
        await before?.(ledger.sequence)
        if (signal.aborted) return
        yield ledger
      }
    },
  }
}
