// Calls of the C library that Node does not offer. Linux with glibc only.

import { DataType, load, open } from 'ffi-rs'

export type Argument = number | bigint | Buffer | null

let isOpen = false

/** Calls `funcName` of the C library with integers and pointers, and returns its integer. */
export function libc(funcName: string, ...values: Argument[]): number {
  if (!isOpen) open({ library: 'libc', path: 'libc.so.6' })
  isOpen = true
  const paramsType = values.map((value) => (Buffer.isBuffer(value) ? DataType.U8Array : DataType.I64))
  // A pointer to nothing and the number 0 are the same word to the kernel.
  const paramsValue = values.map((value) => value ?? 0)
  return load({ library: 'libc', funcName, retType: DataType.I64, paramsType, paramsValue })
}
