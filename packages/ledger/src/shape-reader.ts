// The reader for shapes: XDR steps, ScVal headers, and the reason of the last mismatch.
// The path is built only while a failure returns; values that match cost nothing.

import { SCVAL_TYPES } from './scval.ts'
import { skipScVal } from './skip-scval.ts'
import { unknownArm, unreadable } from './unreadable.ts'
import { XdrReader } from './xdr-reader.ts'

/** The result of a shape's `read` when the value has another shape. The reader has the path and the reason. */
export const MISMATCH: unique symbol = Symbol('mismatch')
export type Mismatch = typeof MISMATCH

const VEC = 16
const MAP = 17
const SYMBOL = 15

export class ShapeReader extends XdrReader {
  /** Path of the last mismatch: `.reserves[1]`. Empty: at the root. */
  path = ''
  /** Expected and found value of the last mismatch. */
  problem = ''

  mismatch(problem: string): Mismatch {
    this.path = ''
    this.problem = problem
    return MISMATCH
  }

  /** Adds a step to the front of the path of the current mismatch. */
  under(step: string): Mismatch {
    this.path = step + this.path
    return MISMATCH
  }

  /** Whether an ScVal of this discriminant begins here. If so its header is passed, otherwise a mismatch is noted. */
  is(arm: number): boolean {
    const at = this.at
    const found = this.u32('ScVal')
    if (found === arm) return true
    const type = SCVAL_TYPES[found]
    if (type === undefined) throw unknownArm('ScVal', at, found)
    this.mismatch(`expected ${SCVAL_TYPES[arm]}, found ${type}`)
    return false
  }

  /** Opens a vec and returns its number of items. */
  vec(): number | Mismatch {
    if (!this.is(VEC)) return MISMATCH
    return this.flag('ScVec?') ? this.count(4, 'ScVec') : this.mismatch('expected a vec, found none')
  }

  /** Opens a map and returns its number of entries. */
  map(): number | Mismatch {
    if (!this.is(MAP)) return MISMATCH
    return this.flag('ScMap?') ? this.count(8, 'ScMap') : this.mismatch('expected a map, found none')
  }

  /** The symbol here, or null after skipping any other value. */
  symbolOrSkip(): string | null {
    const at = this.at
    if (this.u32('ScVal') === SYMBOL) return this.text('ScVal.symbol', 32).text
    this.at = at
    this.skip()
    return null
  }

  /** Skips one value. */
  skip(): void {
    const from = this.at
    let to: number
    try {
      to = skipScVal(this.view, from)
    } catch (cause) {
      if (cause instanceof RangeError) throw unreadable('ScVal', from, 'the bytes end before the value does')
      throw cause
    }
    this.take(to - from, 'ScVal')
  }
}
