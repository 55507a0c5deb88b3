// Extracts the range from the source again, and compares it with the log.

import { extractAgain, type LedgerSource, type SliceDifference } from '@orrery/ingest'
import type { Logger, Metrics } from '@orrery/service-kit'
import type { Findings } from './findings.ts'
import type { Check } from './verification.ts'
import type { VerifiedIndex } from './verified-index.ts'

export interface SourceOptions {
  readonly logger: Logger
  readonly metrics: Metrics
  /** Called with the newest ledger that was compared. */
  readonly onProgress: (ledger: number) => void
}

/**
 * Extracts the ledgers of the range from `source` again and compares their slices with those of the log. Each difference is added to `findings`,
 * with the topic, the partition and the ledger; a ledger that the source cannot give correctly is one of them and ends the comparison.
 *
 * @returns `not_checked` where `source` is null or has none of the ledgers; else how many slices were compared. A source that has a part of the
 *   range is compared for that part, which `detail` names.
 * @throws OrreryError `invalid`/`wrong_network`, `unavailable`/`log_not_started`, and errors of source and log other than `corrupt`.
 */
export async function verifySource(
  index: VerifiedIndex,
  source: LedgerSource | null,
  findings: Findings,
  options: SourceOptions,
): Promise<Check> {
  if (source === null) return { check: 'source', status: 'not_checked', compared: 0, detail: 'no source was named' }
  const { network, registry, log, from, to, partitions } = index
  const onDifference = ({ topic, partition, ledger, message }: SliceDifference): void => {
    const protocol = partitions.find((one) => topic.includes(`.${one.protocol.id}.`))?.protocol.id ?? ''
    findings.add({ check: 'source', where: `${topic}/${partition}`, key: { protocol, partition: String(partition) }, ledger, message })
  }
  const routings = [...new Set(partitions.map(({ protocol }) => protocol.routing))]
  const compared = await extractAgain({ network, routings, registry, source, log, from, to, onDifference, ...options })
  if (compared === null) {
    const detail = `${source.describe} has none of the ledgers ${from} to ${to}`
    return { check: 'source', status: 'not_checked', compared: 0, detail }
  }
  const status = findings.countOf('source') > 0 ? 'different' : 'equal'
  return {
    check: 'source',
    status,
    compared: compared.slices,
    detail: `slices of ledgers ${compared.from} to ${compared.to} of ${source.describe}`,
  }
}
