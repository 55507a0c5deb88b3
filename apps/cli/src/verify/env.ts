// The environment of commands that open the event log of separate processes: the variables of Kafka that those processes have.

import { logOptionsOf, logVariables, readEnv } from '@orrery/service-kit'
import { z } from 'zod'

const { ORRERY_LOG: _, ...kafkaVariables } = logVariables

/** Options for `openLog`. Errors: `invalid`/`invalid_environment` with every problem. */
export function logOptions(env: Readonly<Record<string, string | undefined>> = process.env): ReturnType<typeof logOptionsOf> {
  return logOptionsOf(readEnv(z.object(kafkaVariables), env))
}
