// Which metrics of Orrery a process exports.

import type { Orrery } from './orrery.ts'

/** Names on /metrics of the internal port that a process logged, sorted; without those of Node. */
export async function exportedMetrics(run: Orrery): Promise<string[]> {
  const internalUrl = await run.waitForStderr(/"internalUrl":"([^"]+)"/)
  const text = await (await fetch(`${internalUrl}/metrics`, { headers: { connection: 'close' } })).text()
  return [...text.matchAll(/^# TYPE (orrery_\w+) /gm)].map((match) => match[1] as string).sort()
}
