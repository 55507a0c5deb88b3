// Schema of a parameter: it converts the text to what the handler needs, or fails with a sentence that states what the value must be.
// `parameters.ts` puts the parameter's name before the sentence and refuses empty values.

import { z } from 'zod'

/** JSON schema of a parameter in the OpenAPI document. */
export interface ValueDoc {
  readonly type: 'string' | 'integer'
  readonly format?: string
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly examples?: readonly (string | number)[]
}

/** `read` gives null for a text that breaks `rule`, a sentence without its subject such as "must be an address.". */
export function textValue<T>(doc: ValueDoc, rule: string, read: (text: string) => T | null) {
  return z
    .string()
    .transform((text, ctx): T => {
      const value = read(text)
      if (value !== null) return value
      ctx.addIssue({ code: 'custom', message: rule })
      return z.NEVER
    })
    .meta({ ...doc })
}
