// What an answer is based on: its ledger, its sources, how old its prices are, and what it lacks.

import type { Meta, SparseMeta, Warning } from '@orrery/client'
import { labelOf, shortened } from '../format/address.ts'
import { numbers } from '../format/number.ts'
import { times } from '../format/time.ts'
import { LedgerLink } from './links.tsx'

type AnyMeta = Meta | SparseMeta

export function PartialMark({ meta }: { readonly meta: AnyMeta }) {
  if (meta.partial_result !== true) return null
  return (
    <span class="mark warn" title="Something that belongs in this answer is missing; the list below the data names it.">
      Partial
    </span>
  )
}

interface ProvenanceProps {
  readonly meta: AnyMeta
  /** The past ledger that was asked for; null for the newest one. */
  readonly asOf?: number | null
}

export function Provenance({ meta, asOf = null }: ProvenanceProps) {
  const { last_indexed_ledger: ledger, sources, oracle_staleness_seconds: oldestPrice } = meta
  // The age of the oldest price stands in the line above the list.
  const warnings = meta.warnings.filter(({ code, path }) => code !== 'stale_price' || path !== null)
  return (
    <footer class="provenance">
      <p>
        As of ledger <LedgerLink ledger={asOf ?? ledger} />
        {asOf !== null && (
          <>
            {' '}
            · Indexed up to ledger <LedgerLink ledger={ledger} />
          </>
        )}
        {(sources ?? []).length > 0 && <> · Sources: {(sources ?? []).map(sourceName).join(', ')}</>}
        {typeof oldestPrice === 'number' && oldestPrice > 0 && (
          <>
            {' '}
            ·{' '}
            {asOf === null
              ? `Oldest price in this answer: ${times.span(oldestPrice)} old`
              : `Oldest price: ${times.span(oldestPrice)} before that ledger`}
          </>
        )}
      </p>
      {warnings.length > 0 && (
        <ul>
          {countedBySentence(warnings).map(({ code, message, count }) => (
            <li key={`${code} ${message}`}>
              {labelOf(code)}: {message} {count > 1 && `(${numbers.whole(count)} times)`}
            </li>
          ))}
        </ul>
      )}
    </footer>
  )
}

interface CountedWarning {
  readonly code: string
  readonly message: string
  readonly count: number
}

/** Warnings about several points of a history differ in their path alone. Ages are shown in their largest unit. */
function countedBySentence(warnings: readonly Warning[]): CountedWarning[] {
  const counted = new Map<string, CountedWarning>()
  for (const { code, message: sentence } of warnings) {
    const message = code === 'stale_price' ? sentence.replace(/(\d+) seconds/, (_, age: string) => times.span(Number(age))) : sentence
    const key = `${code} ${message}`
    counted.set(key, { code, message, count: (counted.get(key)?.count ?? 0) + 1 })
  }
  return [...counted.values()]
}

function sourceName(source: string): string {
  const [kind, contract] = source.split(':')
  return contract === undefined ? source : `${kind} ${shortened(contract)}`
}
