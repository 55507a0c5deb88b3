// What is in a backup: a file with the path, size and digest of every other file. It is written last, so a backup without it is not whole.

import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { OrreryError } from '@orrery/errors'
import { z } from 'zod'

export const MANIFEST = 'manifest.json'
const FORMAT = 1

/** Below the folder: a path of a changed manifest must not lead out of it. */
const Path = z.string().regex(/^(?!.*(^|\/)\.\.(\/|$))[^/]/)
const File = z.strictObject({ path: Path, bytes: z.number(), sha256: z.string() })
const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  /** Version of the build that wrote it. */
  orrery: z.string(),
  /** RFC 3339. */
  createdAt: z.string(),
  network: z.string(),
  /** Newest complete ledger when the backup began; its tables have at least this one. */
  ledger: z.number(),
  files: z.array(File),
})
export type Manifest = z.output<typeof Manifest>
const LaterManifest = z.object({ format: z.number().gt(FORMAT), orrery: z.string() })

/** Digests every file of the folder and writes the manifest. Throws the reason of `stop` when it aborts. */
export async function writeManifest(folder: string, about: Omit<Manifest, 'format' | 'files'>, stop?: AbortSignal): Promise<Manifest> {
  const files: Manifest['files'] = []
  for (const path of filesOf(folder)) {
    stop?.throwIfAborted()
    files.push({ path, bytes: statSync(join(folder, path)).size, sha256: await digestOf(join(folder, path)) })
  }
  const manifest = { format: FORMAT, ...about, files } satisfies Manifest
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  return manifest
}

/** Reads the manifest and every file that it names. @throws OrreryError `not_found`/`backup_absent`, `corrupt`/`backup_damaged`, `invalid`/`backup_newer_than_code`. */
export async function checkedManifest(folder: string): Promise<Manifest> {
  const manifest = readManifest(folder)
  const present = new Set(filesOf(folder))
  const problems: string[] = []
  for (const { path, bytes, sha256 } of manifest.files) {
    if (!present.has(path)) problems.push(`${path} is missing`)
    else if (statSync(join(folder, path)).size !== bytes) problems.push(`${path} has another size`)
    else if ((await digestOf(join(folder, path))) !== sha256) problems.push(`${path} has other bytes`)
  }
  if (problems.length > 0) throw damaged(folder, problems)
  return manifest
}

function readManifest(folder: string): Manifest {
  let text: string
  try {
    text = readFileSync(join(folder, MANIFEST), 'utf8')
  } catch (cause) {
    const message = `There is no whole backup in ${folder}: it has no ${MANIFEST}, which \`orrery backup\` writes last. Nothing was changed.\nName the folder of a backup that ended.`
    throw new OrreryError('not_found', 'backup_absent', message, { context: { folder }, cause })
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw damaged(folder, [`${MANIFEST} is not JSON`])
  }
  const later = LaterManifest.safeParse(document)
  if (later.success) throw newer(folder, later.data)
  const read = Manifest.safeParse(document)
  if (!read.success) throw damaged(folder, [`${MANIFEST} has other members`])
  return read.data
}

const SHOWN = 5

function damaged(folder: string, problems: readonly string[]): OrreryError {
  const rest = problems.length > SHOWN ? `\n  and ${problems.length - SHOWN} more` : ''
  const lines = problems.slice(0, SHOWN).map((problem) => `  ${problem}`)
  const message = `The backup in ${folder} is not what \`orrery backup\` wrote:\n${lines.join('\n')}${rest}\nNothing was restored. Use another copy of this backup, or another backup.`
  return new OrreryError('corrupt', 'backup_damaged', message, { context: { folder } })
}

function newer(folder: string, { format, orrery }: z.output<typeof LaterManifest>): OrreryError {
  const message = `The backup in ${folder} was written by Orrery ${orrery} in format ${format}, and this build reads format ${FORMAT}. Nothing was restored. Restore it with that version.`
  return new OrreryError('invalid', 'backup_newer_than_code', message, { context: { folder } })
}

/** Paths of all files below the folder but the manifest, with `/`, sorted. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path !== MANIFEST)
    .sort()
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
