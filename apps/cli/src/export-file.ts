// The file of an export: its format, and its bytes, under its name when they are whole.

import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { OrreryError } from '@orrery/errors'
import { EXPORT_FORMATS, type ExportFormat } from '@orrery/read-model'
import type { CliContext } from './cli-context.ts'
import { grouped } from './progress.ts'

const LINE_EVERY_MS = 10_000

/**
 * That of the option, else that of the file's name, else CSV.
 * @throws OrreryError `invalid`/`export_format_unknown`.
 */
export function formatOf(named: ExportFormat | undefined, output: string | undefined): ExportFormat {
  if (named !== undefined) return named
  const extension = output === undefined ? '.csv' : extname(output).toLowerCase()
  const found = EXPORT_FORMATS.find((format) => `.${format}` === extension)
  if (found !== undefined) return found
  throw new OrreryError(
    'invalid',
    'export_format_unknown',
    `The name of the file ${output} does not show its format. Nothing was written. End it with .csv, .jsonl or .parquet, or give --format.`,
  )
}

/**
 * Until the file is whole it has `.part` behind its name.
 * @throws OrreryError `invalid`/`output_unwritable`, and that of `bytes`.
 */
export async function writeWhole(bytes: Readable, output: string, { stderr }: Pick<CliContext, 'stderr'>): Promise<void> {
  const part = `${output}.part`
  const file = createWriteStream(part)
  const progress = setInterval(() => stderr.write(`${grouped(Math.round(file.bytesWritten / 1e6))} MB written\n`), LINE_EVERY_MS)
  try {
    await pipeline(bytes, file)
    await rename(part, output)
  } catch (error) {
    await rm(part, { force: true })
    throw error instanceof OrreryError ? error : unwritable(output, error)
  } finally {
    clearInterval(progress)
  }
}

function unwritable(output: string, cause: unknown): OrreryError {
  const { code = '' } = cause as { readonly code?: string }
  const message = `The file ${output} cannot be written${code === '' ? '' : ` (${code})`}. Nothing was kept of it. Check its folder and the space on its disk.`
  return new OrreryError('invalid', 'output_unwritable', message, { cause })
}
