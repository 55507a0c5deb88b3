// Users of the embedded engine and their passwords: made at random on the first start, then kept in the data folder (mode 0600).

import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { OrreryError } from '@orrery/errors'
import { z } from 'zod'

/** `admin` migrates, `writer` writes rows, `api` and `analyst` read; the last is the one to give to people. */
export const HOST_USERS = ['admin', 'writer', 'api', 'analyst'] as const
export type HostUser = (typeof HOST_USERS)[number]
export type Passwords = Readonly<Record<HostUser, string>>

const Passwords = z.object({ admin: z.string().min(1), writer: z.string().min(1), api: z.string().min(1), analyst: z.string().min(1) })

/**
 * Reads the passwords of `file`, or makes them.
 * @throws OrreryError `corrupt`/`embedded_secrets_unreadable` when the file is there and is not what was written.
 */
export function keepPasswords(file: string): Passwords {
  if (existsSync(file)) return readPasswords(file)
  const made = Object.fromEntries(HOST_USERS.map((user) => [user, randomBytes(24).toString('base64url')])) as Record<HostUser, string>
  // In one step, so that a crash or a full disk leaves the whole file or none.
  writeFileSync(`${file}.new`, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  return made
}

function readPasswords(file: string): Passwords {
  try {
    return Passwords.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    const message = `The passwords of the embedded ClickHouse in ${file} cannot be read. The indexed data is safe.\nDelete that file: the next start makes new ones, and the old ones no longer work.`
    throw new OrreryError('corrupt', 'embedded_secrets_unreadable', message, { context: { file } })
  }
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
