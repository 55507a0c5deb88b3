// Landlock: a thread gives up, for ever and for all that it starts or executes, access to every file, port and process that it does not name.
// https://docs.kernel.org/userspace-api/landlock.html, version 7. It applies to threads: a program that confines itself must do so
// before the program has a second thread, or confine one thread and let that one execute the program.

import { closeSync, openSync, statSync } from 'node:fs'
import { type Argument, libc } from './libc.ts'
import { refuseSqliteFiles } from './seccomp.ts'

export interface Allowed {
  /** Files and folders that may be read, with all that is below. */
  readonly read: readonly string[]
  /** Files that may be read and executed: the program, its loader and its libraries. */
  readonly execute: readonly string[]
  /** Folders in which everything may be done but executing. */
  readonly write: readonly string[]
  /** Folders in which files may be made, written, renamed and removed, and not read. */
  readonly log: readonly string[]
  /** TCP port that may be listened on; 0 is "whichever is free". No connection may be made to any port. */
  readonly listenPort: number
}

// linux/landlock.h. The numbers of the calls are the same on x64 and arm64.
const CREATE_RULESET = 444
const ADD_RULE = 445
const RESTRICT_SELF = 446
const VERSION_FLAG = 1
const RULE_PATH_BENEATH = 1
const RULE_NET_PORT = 2
const EXECUTE = 1n << 0n
const WRITE_FILE = 1n << 1n
const READ_FILE = 1n << 2n
const READ_DIR = 1n << 3n
const REMOVE_FILE = 1n << 5n
const MAKE_FILE = 1n << 8n
const REFER = 1n << 13n
const TRUNCATE = 1n << 14n
const IOCTL_DEV = 1n << 15n
const RIGHTS_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
const BIND_TCP = 1n << 0n
const CONNECT_TCP = 1n << 1n
const SCOPE_ABSTRACT_SOCKETS = 1n << 0n
const SCOPE_SIGNALS = 1n << 1n
/** Bits 0 to 12, of the first version: execute, write, read, list, remove and the seven kinds of making. */
const FIRST_RIGHTS = (1n << 13n) - 1n

/** At least version 2 (Linux 5.19): without `REFER` no file can be moved to another folder, which ClickHouse does. */
const LEAST_VERSION = 2
const SINCE = { truncate: 3, network: 4, devices: 5, scopes: 6 } as const

const PR_SET_NO_NEW_PRIVS = 38
const F_SETFD = 2
/** Of Linux, not in `node:fs`: a descriptor that names a file and opens nothing. */
const O_PATH = 0o10000000

/**
 * Confines the calling thread to `allowed`, and refuses files that SQLite creates. It cannot be undone.
 * @returns null when it is confined; otherwise why not. What was already given up then stays given up.
 */
export function confineThisThread(allowed: Allowed): string | null {
  const version = syscall(CREATE_RULESET, null, 0, VERSION_FLAG)
  if (version < LEAST_VERSION) {
    const found = version < 0 ? 'does not offer Landlock to this process' : `offers version ${version} of Landlock`
    return `the kernel ${found}; version ${LEAST_VERSION} is needed (Linux 5.19 or newer, "landlock" among its security modules, no filter of a container that refuses it)`
  }
  const rights = rightsOf(version)
  const ruleset = syscall(
    CREATE_RULESET,
    words(rights.files, rights.network, rights.scopes),
    version < SINCE.network ? 8 : version < SINCE.scopes ? 16 : 24,
    0,
  )
  if (ruleset < 0) return 'the kernel refused the Landlock rules'

  const paths: [readonly string[], bigint][] = [
    [allowed.read, READ_FILE | READ_DIR],
    [allowed.execute, READ_FILE | EXECUTE],
    [allowed.write, rights.files & ~EXECUTE],
    [allowed.log, WRITE_FILE | TRUNCATE | READ_DIR | MAKE_FILE | REMOVE_FILE | REFER],
  ]
  for (const [list, access] of paths)
    for (const path of list) if (!allowPath(ruleset, path, access & rights.files)) return `there can be no Landlock rule for ${path}`
  if (version >= SINCE.network && syscall(ADD_RULE, ruleset, RULE_NET_PORT, words(BIND_TCP, BigInt(allowed.listenPort)), 0) !== 0)
    return `the kernel refused the Landlock rule for port ${allowed.listenPort}`

  // Without it only a privileged process may confine itself; with it nothing that is executed gains a privilege.
  if (libc('prctl', PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0) return 'the kernel refused to set no_new_privs'
  const unfiltered = refuseSqliteFiles()
  if (unfiltered !== null) return unfiltered
  if (syscall(RESTRICT_SELF, ruleset, 0) !== 0) return 'the kernel refused to enforce the Landlock rules'
  return null
}

/** Keeps the descriptor open in the program that this process executes. */
export function keepAcrossExec(descriptor: number): void {
  libc('fcntl', descriptor, F_SETFD, 0)
}

function rightsOf(version: number): { files: bigint; network: bigint; scopes: bigint } {
  let files = FIRST_RIGHTS | REFER
  if (version >= SINCE.truncate) files |= TRUNCATE
  if (version >= SINCE.devices) files |= IOCTL_DEV
  return {
    files,
    network: version >= SINCE.network ? BIND_TCP | CONNECT_TCP : 0n,
    scopes: version >= SINCE.scopes ? SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS : 0n,
  }
}

/** A rule for a file may only hold rights of files, so those of folders are asked for folders alone. */
function allowPath(ruleset: number, path: string, access: bigint): boolean {
  let descriptor = -1
  try {
    descriptor = openSync(path, O_PATH)
    const parent = Buffer.alloc(4)
    parent.writeInt32LE(descriptor)
    const rights = statSync(path).isDirectory() ? access : access & RIGHTS_OF_FILES
    return syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, Buffer.concat([words(rights), parent]), 0) === 0
  } catch {
    return false // it is not there, or may not be looked at
  } finally {
    if (descriptor >= 0) closeSync(descriptor)
  }
}

function syscall(...values: Argument[]): number {
  return libc('syscall', ...values)
}

function words(...values: bigint[]): Buffer {
  return Buffer.from(BigUint64Array.from(values).buffer) // both architectures are little-endian
}
