// Pieces that the environment schemas of several processes share. A value is text; these say what it may be and make it what is wanted.

import { z } from 'zod'
import { LOG_LEVELS } from './logger.ts'

/** A TCP port. 0 lets the system choose, and the log says which. */
export const Port = z
  .string()
  .regex(/^\d{1,5}$/, 'Must be a port number.')
  .transform(Number)
  .pipe(z.number().max(65_535, 'Must be at most 65535.'))

/** `true` or `false`. */
export const Switch = z.enum(['true', 'false'], 'Must be true or false.').transform((text) => text === 'true')

/** Whole seconds, at most a day. */
export const Seconds = z
  .string()
  .regex(/^\d{1,5}$/, 'Must be whole seconds.')
  .transform(Number)

/** What every process has: `z.object({ ...processVariables, … })`. */
export const processVariables = {
  /** Port of /livez, /readyz and /metrics. Never public. */
  ORRERY_INTERNAL_PORT: Port.default(9090),
  /** Being reachable from other machines is a decision: `0.0.0.0` in a container. */
  ORRERY_INTERNAL_HOST: z.string().default('127.0.0.1'),
  ORRERY_LOG_LEVEL: z.enum(LOG_LEVELS, `Must be one of ${LOG_LEVELS.join(', ')}.`).default('info'),
  /** One JSON object a line; `false` gives lines for eyes. */
  ORRERY_LOG_JSON: Switch.default(true),
}
