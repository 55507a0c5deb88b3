// The folder in which `orrery up` stores everything: one process at a time, one network for ever.
// The lock is an SQLite transaction: the operating system releases it however the process ends, also by kill -9, so there is no stale lock.

import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OrreryError, reasonOf } from '@orrery/errors'
import { WEBHOOK_KEY_FILE } from '@orrery/identity'
import type { Network } from '@orrery/protocol-kit'
import { compareRegistries, registryText } from '@orrery/registry'

export interface DataFolder extends Disposable {
  readonly path: string
  /** For the operator: others can look into the folder, and it was left as it is. Null when all is well. */
  readonly warning: string | null
  /** Records the network in the folder. A start that fails before this call leaves the folder free for another network. */
  claim(): void
  /** The registry that it held when it was opened; null when it held none. */
  readonly heldRegistry: Network | null
  /** Stores the registry that this process was started with. Call it after the event log has recorded the additions. */
  keepRegistry(): void
  readonly logUrl: string
  readonly identityUrl: string
  readonly tokenKeysFile: string
  readonly webhookKeyFile: string
  readonly clickhouse: string
}

/** The registry that the folder was indexed with, as a registry file: for the operator, who may start with it or add to it. */
const COPY = 'registry.json'

/** In the folder while `orrery restore` fills it; it stays when that does not end. */
export const INCOMPLETE_FILE = 'restoring'

/** What `takeLock` makes in a folder. */
export const LOCK_FILES = /^(lock\.sqlite(-journal|-wal|-shm)?|owner\.pid)$/

/** SQLite's "database is locked". */
const SQLITE_BUSY = 5

/**
 * Takes the folder for this process, makes it when it is not there, and checks that it holds this network, with this registry or a part of it.
 * @throws OrreryError `invalid`/`data_folder_in_use`, `data_folder_refused`, `data_folder_incomplete`, `data_folder_other_network`,
 * `data_folder_other_registry`, `corrupt`/`data_folder_unreadable`.
 */
export function openDataFolder(folder: string, network: Network): DataFolder {
  const path = resolve(folder)
  const { lock, warning } = takeLock(path)
  try {
    assertComplete(path)
    const registryFile = join(path, 'network.json')
    const known = readRegistry(registryFile, network)
    if (known !== null) checkRegistry(path, known, network)
    return {
      path,
      warning,
      claim: () => {
        if (known === null) writeRegistry(path, network)
        keepToOwner(registryFile, 0o600)
        mkdirSync(join(path, 'log'), { recursive: true, mode: 0o700 })
        keepToOwner(join(path, 'log'), 0o700)
      },
      heldRegistry: known,
      keepRegistry: () => writeRegistry(path, network),
      logUrl: `lmdb:${join(path, 'log')}`,
      identityUrl: identityUrlOf(path),
      tokenKeysFile: join(path, 'token-keys.pem'),
      webhookKeyFile: webhookKeyFileOf(path),
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

/** The key that encrypts secrets of webhooks. */
export function webhookKeyFileOf(folder: string): string {
  return join(resolve(folder), WEBHOOK_KEY_FILE)
}

/** @throws OrreryError `invalid`/`data_folder_incomplete` where a restore did not end. */
export function assertComplete(folder: string): void {
  const path = resolve(folder)
  if (!existsSync(join(path, INCOMPLETE_FILE))) return
  const message = `An \`orrery restore\` into the data folder ${path} did not end, so the folder is not whole. Nothing was changed.\nDelete the folder and restore again; the backup is as it was.`
  throw new OrreryError('invalid', 'data_folder_incomplete', message, { context: { path } })
}

/** Takes the folder for this process, and makes it when it is not there. @throws OrreryError `data_folder_in_use`, `data_folder_refused`. */
export function takeLock(path: string): { readonly lock: DatabaseSync; readonly warning: string | null } {
  const [lockFile, ownerFile] = [join(path, 'lock.sqlite'), join(path, 'owner.pid')]
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const warning = keepFolderToOwner(path)
    // SQLite would make it readable for all users, and a process that can read it can lock it.
    closeSync(openSync(lockFile, 'a', 0o600))
    keepToOwner(lockFile, 0o600)
    const lock = new DatabaseSync(lockFile)
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 })
    keepToOwner(ownerFile, 0o600)
    return { lock, warning }
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY) {
      throw new OrreryError(
        'invalid',
        'data_folder_in_use',
        `The data folder ${path} is in use by another process${ownerOf(ownerFile)}. Nothing was changed.\nStop that process, or start this one on another folder with \`--data\`.`,
        { context: { path }, cause },
      )
    }
    throw new OrreryError(
      'invalid',
      'data_folder_refused',
      `The data folder ${path} cannot be used: ${reasonOf(cause)}. Nothing was changed.\nChoose a writable folder with \`--data\`.`,
      { context: { path }, cause },
    )
  }
}

/** The files of a data folder. A folder with any other file may belong to other programs, so its mode is not changed. */
const OURS =
  /^(lock\.sqlite|identity\.sqlite)(-journal|-wal|-shm)?$|^(owner\.pid|network\.json|registry\.json|log|clickhouse|secrets\.json|demo-key|demo-user\.password|token-keys\.pem|webhook\.key|running\.json|restoring)$/

/**
 * A folder that was made before, or by an older build, may be open to others: it is closed to them. Not one that holds other things, such as a
 * home or /tmp. Returns the warning for the operator when it stays open.
 */
function keepFolderToOwner(path: string): string | null {
  if ((statSync(path).mode & OTHERS) === 0) return null
  const other = readdirSync(path).find((name) => !OURS.test(name))
  if (other === undefined && keepToOwner(path, 0o700)) return null
  const why = other === undefined ? 'it belongs to another user' : `it also holds ${other}`
  return `Other users can read the data folder ${path}. Orrery did not change its mode because ${why}. Files with secrets have mode 0600.\nClose it with \`chmod 700\`, or use a separate folder with \`--data\`.`
}

/** The bits of a mode that concern other users than the owner. */
const OTHERS = 0o077

/** False when the system does not let us: the file is another user's. */
function keepToOwner(path: string, mode: number): boolean {
  if ((statSync(path).mode & OTHERS) === 0) return true
  try {
    chmodSync(path, mode)
    return true
  } catch {
    return false
  }
}

function ownerOf(file: string): string {
  try {
    return ` (number ${readFileSync(file, 'utf8').trim()})`
  } catch {
    return '' // the other process has just started: the lock decides, the number only helps the operator
  }
}

function readRegistry(file: string, { protocols }: Network): Network | null {
  try {
    return { ...JSON.parse(readFileSync(file, 'utf8')), protocols }
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

/** The copy for the operator first: a crash between the two leaves a folder that the next start writes both into. */
function writeRegistry(path: string, network: Network): void {
  writeCopy(path, network)
  // Which protocols a build has is no fact of the network.
  writeWhole(join(path, 'network.json'), { ...network, protocols: undefined })
}

/** The registry in the shape of a registry file, which `--network` reads. */
function writeCopy(path: string, network: Network): void {
  writeWhole(join(path, COPY), JSON.parse(registryText(network)))
}

/** In one step, so that a crash leaves the whole file or none. */
function writeWhole(file: string, document: unknown): void {
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(document, null, 2)}\n`, { flush: true, mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch (cause) {
    rmSync(`${file}.new`, { force: true })
    throw new OrreryError(
      'unavailable',
      'data_folder_not_written',
      `${file} could not be written: ${reasonOf(cause)}. What is stored is safe. Free space on the disk of the data folder, or check its permissions, then start again.`,
      { cause },
    )
  }
}

function checkRegistry(path: string, known: Network, network: Network): void {
  const wayOut = 'Nothing was changed.\nGive each network its own folder with `--data`.'
  if (known.passphrase !== network.passphrase || known.name !== network.name) {
    throw new OrreryError(
      'invalid',
      'data_folder_other_network',
      `The data folder ${path} holds the network ${known.name} ("${known.passphrase}"), not ${network.name} ("${network.passphrase}"). ${wayOut}`,
    )
  }
  // Price sources may be added: ingest records the ledger from which they apply. A new deployment or pool would have no history.
  const { refusals } = compareRegistries(known, network)
  if (refusals.length > 0) {
    if (!existsSync(join(path, COPY))) writeCopy(path, known) // a folder of an older build has none
    throw new OrreryError(
      'invalid',
      'data_folder_other_registry',
      `The registry of ${network.name} is not the one that the data folder ${path} was indexed with, and does more than add oracles, price pools, pegs and asset hints:\n${refusals.map((line) => `  ${line}`).join('\n')}\nNothing was changed.\nStart with the registry as it was, which ${join(path, COPY)} holds, and only add to it, or index into a new folder with \`--data\`.`,
    )
  }
}
