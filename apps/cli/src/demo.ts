// The recorded network that ships with Orrery, for a start without any option.

import { fileURLToPath } from 'node:url'

/** Its name for `--network`. */
export const DEMO = 'demo'

/** Of each protocol: it is read by one process, and all of it can be folded. Decision 74 has the figures. */
export const DEMO_PARTITIONS = 1

export const demoLake = fileURLToPath(new URL('../../../recordings/forge-a/lake', import.meta.url))
