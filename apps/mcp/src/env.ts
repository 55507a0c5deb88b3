// The environment of `orrery mcp`, beside the variables of its options.

import { readEnv } from '@orrery/service-kit'
import { z } from 'zod'

const Env = z.object({
  /** Sent to the API over stdin and stdout. Not set: the key of the data folder, where that may be sent. It has no flag: the list of processes shows flags. */
  ORRERY_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'Must be an API key, without spaces and line breaks.')
    .optional(),
})

/** @throws OrreryError `invalid`/`invalid_environment`. */
export function mcpEnv(env: Readonly<Record<string, string | undefined>>): z.output<typeof Env> {
  return readEnv(Env, env)
}
