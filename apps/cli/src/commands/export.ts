// `orrery export [view]`: the rows of a view as a file, up to the last complete ledger.

import { pipeline } from 'node:stream/promises'
import { OrreryError } from '@orrery/errors'
import type { ProtocolId } from '@orrery/protocol-kit'
import {
  completeLedgerOf,
  type ExportRequest,
  exportView,
  openClickHouse,
  openReadModel,
  type ReadableView,
  readableViews,
} from '@orrery/read-model'
import type { CliContext } from '../cli-context.ts'
import type { EXPORT_OPTIONS } from '../command-options.ts'
import { formatOf, writeWhole } from '../export-file.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'
import { table } from '../table.ts'
import { openDatabase } from '../verify/deployment.ts'
import { deploymentOf, targetOf } from '../versions/target.ts'

type ExportOptions = OptionValues<typeof EXPORT_OPTIONS>

/**
 * Without a view it lists them. A file appears under its name when it is whole; until then it has `.part` behind it.
 * @throws OrreryError `not_found`/`unknown_view`, `invalid`/`export_format_unknown`, `export_without_column`,
 * `output_unwritable`, `unavailable`/`export_cut`, and the errors of `targetOf` and `openDatabase`.
 */
export async function exportRows(name: string | undefined, options: ExportOptions, context: CliContext): Promise<void> {
  const { deployment } = await (options.protocol === undefined ? deploymentOf(options) : targetOf(options.protocol, options))
  await using stack = new AsyncDisposableStack()
  const address = await openDatabase(deployment, stack)
  const connection = stack.use(openClickHouse(address))
  const views = await readableViews(connection)
  if (name === undefined) {
    context.stdout.write(options.json ? `${JSON.stringify({ event: 'views', views })}\n` : listOf(views))
    return
  }
  const view = views.find((one) => one.name === name)
  if (view === undefined) throw unknownView(name, views)
  const { ledger: complete } = completeLedgerOf(await stack.use(openReadModel(openClickHouse(address))).tip())
  const request = requestOf(view, options, complete)
  const { rows, bytes } = await exportView(connection, request)
  const { output } = options
  if (output === undefined) {
    await pipeline(bytes, context.stdout, { end: false })
    return
  }
  await writeWhole(bytes, output, context)
  const { format, ledgers } = request
  context.stdout.write(
    options.json
      ? `${JSON.stringify({ event: 'exported', view: name, format, rows, file: output, ledgers })}\n`
      : `Wrote ${grouped(rows)} rows of ${name} to ${output}${ledgers === null ? '' : `, up to ledger ${grouped(ledgers.to)}`}.\n`,
  )
}

function requestOf(view: ReadableView, { format, output, protocol, from, to }: ExportOptions, complete: number): ExportRequest {
  const has = (column: string): boolean => view.columns.some((one) => one.name === column)
  if (!has('ledger') && (from !== undefined || to !== undefined)) throw withoutColumn(view.name, 'ledger', '--from and --to')
  if (!has('protocol') && protocol !== undefined) throw withoutColumn(view.name, 'protocol', '--protocol')
  return {
    view,
    format: formatOf(format, output),
    protocol: protocol === undefined ? null : (protocol as ProtocolId),
    ledgers: has('ledger') ? { from: from ?? 0, to: Math.min(to ?? complete, complete) } : null,
  }
}

function listOf(views: readonly ReadableView[]): string {
  return table(
    ['view', 'rows'],
    views.map(({ name, description }) => [name, description]),
  )
}

function unknownView(name: string, views: readonly ReadableView[]): OrreryError {
  const known = views.map((view) => view.name).join(', ')
  return new OrreryError('not_found', 'unknown_view', `There is no view "${name}". Nothing was written. There are: ${known}.`)
}

function withoutColumn(view: string, what: 'ledger' | 'protocol', flags: string): OrreryError {
  return new OrreryError(
    'invalid',
    'export_without_column',
    `The rows of ${view} are of no ${what}, so ${flags} cannot be used. Nothing was written.`,
  )
}
