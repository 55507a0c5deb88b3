// A rule of what may be stored. The API checks the same before, in the words of the wire; here it holds for every way in.

import { OrreryError } from '@orrery/errors'

export function check(condition: boolean, code: string, message: string): asserts condition {
  if (!condition) throw new OrreryError('invalid', code, message)
}
