// `orrery export --request`: the points of a series of `/v1` as a file, with all pages of the answer.

import { pipeline } from 'node:stream/promises'
import { OrreryError } from '@orrery/errors'
import { mcpEnv } from '@orrery/mcp'
import { exportPoints } from '@orrery/read-model'
import { apiUrlOf, keyOfFolder } from '../api-access.ts'
import type { CliContext } from '../cli-context.ts'
import type { EXPORT_OPTIONS } from '../command-options.ts'
import { formatOf, writeWhole } from '../export-file.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'
import { documentAbsent, loadDocument, type SeriesPage, seriesPages } from '../series/series-api.ts'
import { type Series, seriesAt, seriesOf } from '../series/series-document.ts'

type ExportOptions = OptionValues<typeof EXPORT_OPTIONS>

/**
 * Asks the API of the data folder, or that of `--url`. No index is read but through it.
 * @throws OrreryError `invalid`/`export_of_two`, `no_series`, `request_refused`, `api_document_absent`, `export_format_unknown`,
 * `output_unwritable`, `unauthorized`/`api_key_missing`, `unavailable`/`api_unreachable`, `export_cut`, and the errors of `exportPoints`.
 */
export async function exportSeries(
  request: string,
  view: string | undefined,
  options: ExportOptions,
  { env, stdout, stderr }: CliContext,
): Promise<void> {
  const { data, output, protocol, from, to } = options
  if (view !== undefined || [protocol, from, to].some((it) => it !== undefined)) throw ofTwo()
  const format = formatOf(options.format, output)
  const url = apiUrlOf(options)
  const series = seriesOf(await loadDocument(url))
  if (series === null) throw documentAbsent(url)
  const asked = seriesAt(series, request)
  if (asked === undefined) throw noSeries(request, series)
  const apiKey = mcpEnv(env).ORRERY_API_KEY ?? (await keyOfFolder(data, url, 'Nothing was written.'))

  const codes = new Set<string>()
  const pages = csvOf(await startedPages(seriesPages(url, apiKey, request)), codes)
  await using stack = new AsyncDisposableStack()
  const { rows, bytes } = await exportPoints({ columns: asked.columns, pages, format }, stack)
  const warnings = [...codes].sort()
  if (warnings.length > 0) stderr.write(`The answer has warnings: ${warnings.join(', ')}. The JSON answer has their places and texts.\n`)
  if (output === undefined) {
    await pipeline(bytes, stdout, { end: false })
    return
  }
  await writeWhole(bytes, output, { stderr })
  stdout.write(
    options.json
      ? `${JSON.stringify({ event: 'exported', request, format, rows, file: output, warnings })}\n`
      : `Wrote ${grouped(rows)} points of ${request} to ${output}.\n`,
  )
}

interface Pages {
  readonly first: SeriesPage | undefined
  readonly others: AsyncGenerator<SeriesPage, void>
}

/** A refusal comes before an engine is started. */
async function startedPages(others: AsyncGenerator<SeriesPage, void>): Promise<Pages> {
  const { value: first } = await others.next()
  return { first: first ?? undefined, others }
}

/** @param codes Takes the warnings of each page. */
async function* csvOf({ first, others }: Pages, codes: Set<string>): AsyncGenerator<string> {
  const noted = ({ csv, warnings }: SeriesPage): string => {
    for (const code of warnings) codes.add(code)
    return csv
  }
  if (first !== undefined) yield noted(first)
  for await (const page of others) yield noted(page)
}

function ofTwo(): OrreryError {
  return new OrreryError(
    'invalid',
    'export_of_two',
    'With --request, the path and query of the request choose what is written: no view, --protocol, --from or --to can be used. Nothing was written.',
  )
}

function noSeries(request: string, series: readonly Series[]): OrreryError {
  const paths = series.map(({ path }) => `  ${path}`).join('\n')
  return new OrreryError('invalid', 'no_series', `${request} is no request for a series. Nothing was written. Series are:\n${paths}`)
}
