// A contract of another layout than expected has no prices. It must not stop the fold of a protocol that only reads its price.

import { OrreryError } from '@orrery/errors'
import type { Unusable } from './oracle.ts'

/** Applies a change that a reader reads; returns why it cannot be used if a value has an unexpected shape. */
export function unlessUnusable(apply: () => void): Unusable | null {
  try {
    apply()
    return null
  } catch (error) {
    if (error instanceof OrreryError && error.code === 'unexpected_shape') return 'unexpected_shape'
    throw error
  }
}
