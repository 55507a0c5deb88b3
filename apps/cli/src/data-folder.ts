// The folder that `orrery up` keeps everything in: one process at a time, one network for ever.
// The lock is an SQLite transaction: the system lets go of it however the process ends, also by kill -9, so there is no stale lock.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OrreryError, reasonOf } from '@orrery/errors'
import type { Network } from '@orrery/protocol-kit'

export interface DataFolder extends Disposable {
  readonly path: string
  /** From now on it holds this network. Before, a start that was refused leaves it free for another one. */
  claim(): void
  readonly logUrl: string
  readonly identityUrl: string
  readonly tokenKeysFile: string
  readonly clickhouse: string
}

/** SQLite's "database is locked". */
const SQLITE_BUSY = 5

/**
 * Takes the folder for this process, makes it when it is not there, and checks that it holds this network.
 * @throws OrreryError `invalid`/`data_folder_in_use`, `data_folder_refused`, `data_folder_other_network`, `data_folder_other_registry`,
 * `corrupt`/`data_folder_unreadable`.
 */
export function openDataFolder(folder: string, network: Network): DataFolder {
  const path = resolve(folder)
  const lock = takeLock(path)
  try {
    const registryFile = join(path, 'network.json')
    const known = readRegistry(registryFile)
    if (known !== null) checkRegistry(path, known, network)
    return {
      path,
      claim: () => {
        if (known === null) writeRegistry(registryFile, network)
      },
      logUrl: `lmdb:${join(path, 'log')}`,
      identityUrl: identityUrlOf(path),
      tokenKeysFile: join(path, 'token-keys.pem'),
      clickhouse: join(path, 'clickhouse'),
      [Symbol.dispose]: () => lock.close(),
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Organizations, keys and users of a data folder. Several processes may use it at once: the lock is about the index. */
export function identityUrlOf(folder: string): string {
  return `sqlite:${join(resolve(folder), 'identity.sqlite')}`
}

function takeLock(path: string): DatabaseSync {
  const ownerFile = join(path, 'owner.pid')
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const lock = new DatabaseSync(join(path, 'lock.sqlite'))
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    writeFileSync(ownerFile, `${process.pid}\n`)
    return lock
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) {
      throw new OrreryError(
        'invalid',
        'data_folder_in_use',
        `The data folder ${path} is in use by another process${ownerOf(ownerFile)}. Nothing was changed.\nStop that one, or give this one a folder of its own with \`--data\`.`,
        { context: { path }, cause },
      )
    }
    throw new OrreryError(
      'invalid',
      'data_folder_refused',
      `The data folder ${path} cannot be used: ${reasonOf(cause)}. Nothing was changed.\nChoose a folder that you may write to with \`--data\`.`,
      { context: { path }, cause },
    )
  }
}

function ownerOf(file: string): string {
  try {
    return ` (number ${readFileSync(file, 'utf8').trim()})`
  } catch {
    return '' // the other process has just begun: the lock is what counts, the number is a courtesy
  }
}

function readRegistry(file: string): Network | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Network
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw new OrreryError(
      'corrupt',
      'data_folder_unreadable',
      `${file} cannot be read, so it is unknown which network this data folder holds. Nothing was changed.\nIndex into a new folder with \`--data\`.`,
      { cause },
    )
  }
}

/** In one step, so that a crash leaves the whole file or none. */
function writeRegistry(file: string, network: Network): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(network, null, 2)}\n`, { flush: true })
  renameSync(`${file}.new`, file)
}

function checkRegistry(path: string, known: Network, network: Network): void {
  const wayOut = 'Nothing was changed.\nGive each network a folder of its own with `--data`.'
  if (known.passphrase !== network.passphrase || known.name !== network.name) {
    throw new OrreryError(
      'invalid',
      'data_folder_other_network',
      `The data folder ${path} holds the network ${known.name} ("${known.passphrase}"), not ${network.name} ("${network.passphrase}"). ${wayOut}`,
    )
  }
  // Rows of two registries must not mix: a deployment or a price pool that is new would have no past.
  if (JSON.stringify(known) !== JSON.stringify(network)) {
    throw new OrreryError(
      'invalid',
      'data_folder_other_registry',
      `The registry of ${network.name} has changed since the data folder ${path} was begun, and its rows were made with the old one. Nothing was changed.\nIndex into a new folder with \`--data\`, or start with the registry as it was (as Orrery read it, it is kept in ${join(path, 'network.json')}).`,
    )
  }
}
