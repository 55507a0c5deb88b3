// The recorded network that ships with Orrery, for a start without any option.

import { fileURLToPath } from 'node:url'

/** Its name for `--network`. */
export const DEMO = 'demo'

export const demoLake = fileURLToPath(new URL('../../../recordings/forge-a/lake', import.meta.url))
