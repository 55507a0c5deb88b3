// Calls of the C library that Node does not offer.

import { rmSync } from 'node:fs'
import { DataType, load, open } from 'ffi-rs'

export type Argument = number | bigint | Buffer | null

let isOpen = false

/** Calls `funcName` of the C library with integers and pointers, and returns its integer. */
export function libc(funcName: string, ...values: Argument[]): number {
  if (!isOpen) open({ library: 'libc', path: process.platform === 'darwin' ? 'libSystem.B.dylib' : 'libc.so.6' })
  isOpen = true
  const paramsType = values.map((value) => (Buffer.isBuffer(value) ? DataType.U8Array : DataType.I64))
  // A pointer to nothing and the number 0 are the same word to the kernel.
  const paramsValue = values.map((value) => value ?? 0)
  return load({ library: 'libc', funcName, retType: DataType.I64, paramsType, paramsValue })
}

/**
 * Makes a named pipe that only its owner may open, in place of one that is left from before.
 *
 * @throws Error when it cannot be made.
 */
export function makePipe(path: string): void {
  rmSync(path, { force: true })
  if (libc('mkfifo', Buffer.from(`${path}\0`), 0o600) !== 0)
    throw new Error(`The named pipe ${path} cannot be made: the file system of the folder may have none.`)
}
