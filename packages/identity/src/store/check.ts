// A rule of what may be stored. The API checks the same before, with its own messages; here it applies to every caller.

import { OrreryError } from '@orrery/errors'

export function check(condition: boolean, code: string, message: string): asserts condition {
  if (!condition) throw new OrreryError('invalid', code, message)
}
