// The reader under shapes: XDR steps, ScVal headers, and the memory of why a shape did not fit.
// The path is put together on the way out of a failure; reading what fits costs nothing for it.

import { SCVAL_TYPES } from './scval.ts'
import { skipScVal } from './skip-scval.ts'
import { unknownArm, unreadable } from './unreadable.ts'
import { XdrReader } from './xdr-reader.ts'

/** What a shape's `read` returns when the value is of another shape. Where and why is in the reader. */
export const MISMATCH: unique symbol = Symbol('mismatch')
export type Mismatch = typeof MISMATCH

const VEC = 16
const MAP = 17
const SYMBOL = 15

export class ShapeReader extends XdrReader {
  /** Where the last mismatch was: `.reserves[1]`. Empty: at the root. */
  path = ''
  /** What was expected and what was found, of the last mismatch. */
  problem = ''

  mismatch(problem: string): Mismatch {
    this.path = ''
    this.problem = problem
    return MISMATCH
  }

  /** Puts a step before the path of the mismatch that is on its way out. */
  under(step: string): Mismatch {
    this.path = step + this.path
    return MISMATCH
  }

  /** Whether an ScVal of this discriminant begins here. If so its header is behind us, if not a mismatch is noted. */
  is(arm: number): boolean {
    const at = this.at
    const found = this.u32('ScVal')
    if (found === arm) return true
    const type = SCVAL_TYPES[found]
    if (type === undefined) throw unknownArm('ScVal', at, found)
    this.mismatch(`expected ${SCVAL_TYPES[arm]}, found ${type}`)
    return false
  }

  /** Opens a vec and says how many items it has. */
  vec(): number | Mismatch {
    if (!this.is(VEC)) return MISMATCH
    return this.flag('ScVec?') ? this.count(4, 'ScVec') : this.mismatch('expected a vec, found none')
  }

  /** Opens a map and says how many entries it has. */
  map(): number | Mismatch {
    if (!this.is(MAP)) return MISMATCH
    return this.flag('ScMap?') ? this.count(8, 'ScMap') : this.mismatch('expected a map, found none')
  }

  /** The symbol here, or null after skipping what is none. */
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
