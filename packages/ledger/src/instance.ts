// A contract instance: its executable and its storage, where many contracts keep all their data.
// Values of the storage are looked up by key and read by shape; others are only skipped.

import { OrreryError } from '@orrery/errors'
import { type Executable, readExecutable, type ScVal } from './scval.ts'
import { decode, type Shape, type Where } from './shape.ts'
import { ShapeReader } from './shape-reader.ts'
import { writeScVal } from './write-scval.ts'

const INSTANCE = 19

interface StoredBytes {
  /** XDR of the key. */
  readonly key: Uint8Array
  /** XDR of the value. */
  readonly value: Uint8Array
}

export interface Instance {
  readonly executable: Executable
  /** The storage, in the order of the chain. */
  readonly entries: readonly StoredBytes[]
  /**
   * The stored value of a key, or null when there is none.
   * @throws OrreryError `corrupt`/`unexpected_shape` when it exists and has another shape.
   */
  get<T>(key: ScVal | Uint8Array, shape: Shape<T>): T | null
}

/**
 * Reads the value of an instance entry (its key is ScVal `instance_key`).
 * @throws OrreryError `corrupt`/`unexpected_shape` when the value is no instance, `corrupt`/`ledger_unreadable` when it is no XDR.
 */
export function readInstance(bytes: Uint8Array, where: Where = { contract: null, what: 'instance' }): Instance {
  const reader = new ShapeReader(bytes)
  if (!reader.is(INSTANCE)) {
    throw new OrreryError(
      'corrupt',
      'unexpected_shape',
      `Unexpected shape of ${where.what} of contract ${where.contract ?? 'unknown'}: ${reader.problem}.`,
      {
        context: { contract: where.contract, what: where.what, path: '', expected: 'instance', problem: reader.problem },
      },
    )
  }
  const executable = readExecutable(reader)
  const entries: StoredBytes[] = []
  const count = reader.flag('ScMap?') ? reader.count(8, 'ScMap') : 0
  for (let n = 0; n < count; n++) {
    const from = reader.at
    reader.skip()
    const middle = reader.at
    reader.skip()
    entries.push({ key: bytes.subarray(from, middle), value: bytes.subarray(middle, reader.at) })
  }
  reader.end('ScContractInstance')
  return {
    executable,
    entries,
    get(key, shape) {
      const wanted = key instanceof Uint8Array ? key : writeScVal(key)
      const found = entries.find((entry) => sameBytes(entry.key, wanted))
      return found === undefined ? null : decode(shape, found.value, where)
    },
  }
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false
  return true
}
