// The report of a verification, for people.

import { grouped } from '../progress.ts'
import { table } from '../table.ts'
import type { Repair, Verification } from './verification.ts'

/** A value of a row in the report: long JSON is cut. `--json` has it whole. */
const LONGEST_VALUE = 120

const STATUS = { equal: 'equal', different: 'DIFFERENT', not_checked: 'not checked' } as const

export function reportText(found: Verification): string {
  const { network, fromLedger, toLedger, versions, checks } = found
  const of = versions.map(({ protocol, version }) => `${protocol} ${version}`).join(', ')
  const compared = toLedger < fromLedger ? 'no ledger could be compared' : `ledgers ${grouped(fromLedger)} to ${grouped(toLedger)}`
  const parts = [
    `Network ${network}, ${compared}, index versions: ${of}\n`,
    table(
      ['check', 'result', 'compared', 'what'],
      checks.map(({ check, status, compared: count, detail }) => [check, STATUS[status], grouped(count), detail]),
    ),
    ...findingsText(found),
    ...tablesText(found),
    ...repairsText(found.repairs),
  ]
  return parts.join('\n')
}

function findingsText({ findings, findingCounts }: Verification): string[] {
  return [...Map.groupBy(findings, ({ check }) => check)].map(([check, own]) => {
    const lines = own.map(({ where, key, ledger, message }) => `  ledger ${grouped(ledger)}  ${where}${keyText(key)}: ${message}\n`)
    return `${check}:\n${lines.join('')}${more((findingCounts[check] ?? 0) - own.length)}`
  })
}

function tablesText({ tables }: Verification): string[] {
  return tables.map(({ table: name, counts, firstLedger, lastLedger, examples }) => {
    const count = `${grouped(counts.missing)} missing, ${grouped(counts.extra)} extra, ${grouped(counts.changed)} changed`
    const lines = examples.flatMap(({ kind, ledger, key, columns }) => [
      `  ${kind}  ledger ${grouped(ledger)}${keyText(key)}\n`,
      ...columns.map(({ column, stored, expected }) => `    ${column}: stored ${valueText(stored)}, expected ${valueText(expected)}\n`),
    ])
    const hidden = counts.missing + counts.extra + counts.changed - examples.length
    return `${name}: ${count}, in ledgers ${grouped(firstLedger)} to ${grouped(lastLedger)}\n${lines.join('')}${more(hidden)}`
  })
}

function repairsText(repairs: readonly Repair[]): string[] {
  if (repairs.length === 0) return []
  const rows = repairs.map(({ protocol, partitions, fromLedger, toLedger }) => [
    ...[protocol, partitions === null ? 'all' : partitions.join(', ')],
    `${grouped(fromLedger)} to ${grouped(toLedger)}`,
  ])
  return [`To be folded again:\n${table(['protocol', 'partitions', 'ledgers'], rows)}`]
}

function keyText(key: Readonly<Record<string, string | null>>): string {
  return Object.entries(key)
    .map(([name, value]) => `  ${name} ${value ?? 'NULL'}`)
    .join('')
}

function valueText(value: string | null): string {
  if (value === null) return 'NULL'
  return value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}… (${value.length} characters)` : value
}

function more(count: number): string {
  return count > 0 ? `  … and ${grouped(count)} more\n` : ''
}
