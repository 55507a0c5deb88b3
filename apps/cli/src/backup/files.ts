// The files of a data folder that a backup holds as they are, and how folders move between a backup and an engine.

import { chmodSync, constants, copyFileSync, cpSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PASSWORDS_FILE } from '@orrery/read-model'

/** Registry and secrets. What a run writes for itself (lock, addresses) is not part of a backup. */
export const KEPT_FILES = [
  'network.json',
  'registry.json',
  'secrets.json',
  'demo-key',
  'demo-user.password',
  'token-keys.pem',
  'webhook.key',
  join('clickhouse', PASSWORDS_FILE),
] as const

export const IDENTITY_FILE = 'identity.sqlite'
export const LOG_FOLDER = 'log'
/** In a backup: what the engine wrote. */
export const TABLES_FOLDER = 'tables'

/** Copies a file where it exists, readable by its owner only: programs that move a backup may lose the modes of its files. */
export function copyIfPresent(from: string, to: string): void {
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    chmodSync(to, 0o600)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Renames a folder; on another file system it is copied and deleted. */
export function moveFolder(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
    rmSync(from, { recursive: true })
  }
}

/** `to` gets the bytes of the file without a copy, where the file system has links. It is read there and not changed. */
export function linkFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to) // another file system, or one without links: a copy that cannot be made throws
  }
}
