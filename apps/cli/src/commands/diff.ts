// `orrery diff <protocol> [A B]`: what changes for readers when they see index version B instead of A.

import { OrreryError } from '@orrery/errors'
import {
  type ClickHouseConnection,
  diffVersions,
  foldedLedger,
  type IndexVersion,
  openClickHouse,
  type TableChanges,
  verifiedTables,
} from '@orrery/read-model'
import type { CliContext } from '../cli-context.ts'
import type { DIFF_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'
import { table } from '../table.ts'
import { openDatabase } from '../verify/deployment.ts'
import { activeOf, targetOf, versionNamed, versionsOf } from '../versions/target.ts'

type DiffOptions = OptionValues<typeof DIFF_OPTIONS>

export interface VersionDifferences {
  readonly before: IndexVersion
  readonly after: IndexVersion
  readonly fromLedger: number
  readonly toLedger: number
  readonly tables: readonly TableChanges[]
}

/** @throws OrreryError `corrupt`/`versions_differ` after the report when a row differs, and the errors of `targetOf`, `compareVersions` and `openDatabase`. */
export async function diff(name: string, numbers: readonly string[], options: DiffOptions, context: CliContext): Promise<void> {
  const { protocol, deployment } = await targetOf(name, options)
  await using stack = new AsyncDisposableStack()
  const connection = stack.use(openClickHouse(await openDatabase(deployment, stack)))
  const [before, after] = pairOf(await versionsOf(connection, protocol.id), numbers)
  const found = await compareVersions(connection, before, after, options)
  context.stdout.write(options.json ? `${JSON.stringify({ event: 'compared', ...documentOf(found) })}\n` : reportOf(found))
  if (found.tables.length === 0) return
  throw new OrreryError(
    'corrupt',
    'versions_differ',
    `Index versions ${before.indexVersion} and ${after.indexVersion} of ${protocol.id} differ in ${found.tables.length} tables, which the report on stdout names. Nothing was changed.`,
  )
}

/** The two that are named; else the active one and the newest other one. */
function pairOf(versions: readonly IndexVersion[], numbers: readonly string[]): readonly [IndexVersion, IndexVersion] {
  const [a, b] = numbers.map((text) => versionNamed(versions, Number(text)))
  const before = a ?? activeOf(versions)
  const after = b ?? versions.findLast((one) => !one.isRetired && one.indexVersion !== before.indexVersion)
  if (after !== undefined) return [before, after]
  throw new OrreryError(
    'not_found',
    'unknown_index_version',
    `${before.protocol} has one index version only. Nothing was compared. Fold another one with \`orrery replay ${before.protocol}\`.`,
  )
}

/**
 * Compares every table up to the last ledger that both versions have whole: rows of a version's last ledger may still be added while the next one
 * is folded, so it counts only where both versions end with it.
 * @throws OrreryError `invalid`/`diff_range_empty`.
 */
export async function compareVersions(
  connection: ClickHouseConnection,
  before: IndexVersion,
  after: IndexVersion,
  range: { readonly from?: number | undefined; readonly to?: number | undefined },
): Promise<VersionDifferences> {
  const [a, b] = [foldedLedger(before), foldedLedger(after)]
  const ends = new Set([...before.checkpoints, ...after.checkpoints])
  const common = ends.size === 1 ? a : Math.min(a, b) - 1
  const [from, to] = [range.from ?? 0, Math.min(range.to ?? common, common)]
  if (to < Math.max(from, 1)) throw emptyRange(before, after, common)
  const { protocol } = before
  const tables: TableChanges[] = []
  for (const one of await verifiedTables(connection)) {
    if (!one.columns.includes('protocol') || !one.columns.includes('adapter_version')) continue
    const versions = { protocol, before: before.indexVersion, after: after.indexVersion, from, to }
    const found = await diffVersions(connection, one, versions)
    if (found !== null) tables.push(found)
  }
  return { before, after, fromLedger: from, toLedger: to, tables }
}

function documentOf({ before, after, ...rest }: VersionDifferences) {
  const shown = ({ indexVersion, adapterVersion }: IndexVersion) => ({ indexVersion, adapterVersion })
  return { protocol: before.protocol, before: shown(before), after: shown(after), isEqual: rest.tables.length === 0, ...rest }
}

function reportOf({ before, after, toLedger, tables }: VersionDifferences): string {
  const nameOf = ({ indexVersion, adapterVersion }: IndexVersion): string => `${indexVersion} (adapter version ${adapterVersion})`
  const head = `${before.protocol}: index version ${nameOf(before)} against ${nameOf(after)}, up to ledger ${grouped(toLedger)}\n`
  if (tables.length === 0) return `${head}Every row is equal.\n`
  const counts = table(
    ['table', 'added', 'removed', 'changed', 'accounts', 'ledgers'],
    tables.map((it) => [
      ...[it.table, grouped(it.added), grouped(it.removed), grouped(it.changed), it.accounts === null ? '' : grouped(it.accounts)],
      `${grouped(it.firstLedger)} to ${grouped(it.lastLedger)}`,
    ]),
  )
  return `${head}${counts}\nLargest changes:\n${tables.flatMap(largestOf).join('')}`
}

function largestOf({ table: name, largest }: TableChanges): string[] {
  return largest.map(({ column, change, key }) => {
    const at = Object.entries(key).map(([part, value]) => `${part} ${value}`)
    return `  ${name}.${column}  ${change > 0 ? '+' : ''}${change}  at ${at.join(', ')}\n`
  })
}

function emptyRange({ indexVersion: a }: IndexVersion, { indexVersion: b }: IndexVersion, common: number): OrreryError {
  return new OrreryError(
    'invalid',
    'diff_range_empty',
    `Index versions ${a} and ${b} have no ledger in common in this range: both are whole up to ledger ${Math.max(0, common)}. Nothing was compared.`,
  )
}
