// Credentials of the embedded engine. Orrery's own connections send a secret that is made at random for each start and
// never stored; the analyst has a password, made on the first start and stored in the data folder (mode 0600), because people enter it in tools.

import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { z } from 'zod'

/** `admin` migrates, `writer` writes rows, `api` reads for `/v1`, `status` for `orrery status`, and `analyst` is for people. */
export const HOST_USERS = ['admin', 'writer', 'api', 'status', 'analyst'] as const
export type HostUser = (typeof HOST_USERS)[number]
/** A secret for each user, of one start of the engine. */
export type EngineSecrets = Readonly<Record<HostUser, string>>

/** The header that carries a user's secret to the engine. */
export const SECRET_HEADER = 'x-orrery-engine'

/** In the engine's folder. */
export const PASSWORDS_FILE = 'passwords.json'

const Kept = z.object({ analyst: z.string().min(1) })

export function makeSecrets(): EngineSecrets {
  return Object.fromEntries(HOST_USERS.map((user) => [user, randomSecret()])) as Record<HostUser, string>
}

export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The analyst's password: reads it from `file`, or from `formerFile`, where older builds stored it with passwords that no longer
 * exist, or makes it. Afterwards `file` is the only one.
 * @throws OrreryError `corrupt`/`embedded_secrets_unreadable` when a file exists and has other content than was written.
 */
export function keepAnalystPassword(file: string, formerFile: string): string {
  const known = [file, formerFile].find((it) => existsSync(it))
  const analyst = known === undefined ? randomSecret() : readPassword(known)
  if (known !== file) {
    // In one step, so that a crash or a full disk leaves the whole file or none.
    writeFileSync(`${file}.new`, `${JSON.stringify({ analyst }, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  rmSync(formerFile, { force: true })
  return analyst
}

/**
 * The analyst's password in the engine's folder; null when no start has made one. It needs no running engine.
 * @throws OrreryError `corrupt`/`embedded_secrets_unreadable`.
 */
export function keptAnalystPassword(dir: string): string | null {
  const file = join(dir, PASSWORDS_FILE)
  return existsSync(file) ? readPassword(file) : null
}

function readPassword(file: string): string {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8'))).analyst
  } catch {
    const message = `The analyst's password of the embedded ClickHouse in ${file} cannot be read. The indexed data is safe.\nDelete that file: the next start makes a new password, and the old one no longer works.`
    throw new OrreryError('corrupt', 'embedded_secrets_unreadable', message, { context: { file } })
  }
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
