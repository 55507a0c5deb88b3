// Keeps the metric of the last verification up to date: the command that verifies is a process of its own, which nothing scrapes.

import type { ReadModel } from '@orrery/read-model'
import { lastVerification } from '@orrery/read-model/queries'
import type { Logger, Metrics } from '@orrery/service-kit'

const READ_EVERY_MS = 60_000

/** Reads the verdict now and every minute until it is disposed. A failed read keeps the last value. */
export function watchVerdict(readModel: ReadModel, metrics: Metrics, logger: Logger): Disposable {
  const read = async (): Promise<void> => {
    try {
      const [last] = await readModel.query(lastVerification, {}, { tag: { route: 'metrics', requestId: 'verdict' } })
      if (last === undefined) return
      metrics.verifyFinished.reset()
      metrics.verifyFinished.set({ verdict: last.verdict }, last.finished_at_seconds)
    } catch (error) {
      logger.debug({ err: error }, 'Could not read the verdict of the last verification; reading it again in a minute')
    }
  }
  void read()
  const timer = setInterval(() => void read(), READ_EVERY_MS).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
