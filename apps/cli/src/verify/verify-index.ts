// A whole verification: every comparison in turn, and its verdict.

import type { LedgerSource } from '@orrery/ingest'
import type { Logger, Metrics } from '@orrery/service-kit'
import { Findings } from './findings.ts'
import { repairsOf } from './repairs.ts'
import type { Check, CheckName, Verification } from './verification.ts'
import { type IndexAddresses, openVerifiedIndex, type VerifiedIndex } from './verified-index.ts'
import { verifyCheckpoints } from './verify-checkpoints.ts'
import { verifyEntries } from './verify-entries.ts'
import { verifyRows } from './verify-rows.ts'
import { verifySource } from './verify-source.ts'

export interface VerifyOptions {
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Entries to compare with an RPC. */
  readonly sample: number
  /** Null: the log is not compared with a source. */
  readonly source: LedgerSource | null
  readonly nowMs: () => number
  /** Of `total` ledgers that are read from source and log, `done` are compared. */
  readonly onProgress: (done: number, total: number, ledger: number) => void
  readonly logger: Logger
  readonly metrics: Metrics
}

/** @throws errors of log, source, ClickHouse and folds, and those of `openVerifiedIndex`. Differences are in the result. */
export async function verifyIndex(addresses: IndexAddresses, options: VerifyOptions): Promise<Verification> {
  const startedAtMs = options.nowMs()
  await using stack = new AsyncDisposableStack()
  const index = await openVerifiedIndex(addresses, options, stack)
  const findings = new Findings()
  verifyCheckpoints(index, findings)
  const isRangeEmpty = index.to < index.from
  const compared = isRangeEmpty ? NOTHING : await compare(index, options, findings, startedAtMs)
  const { checks, tables, to } = compared
  const isDifferent = tables.length > 0 || Object.keys(findings.counts).length > 0
  return {
    network: index.network.name,
    fromLedger: index.from,
    toLedger: to ?? index.to,
    versions: [...new Map(index.partitions.map(({ protocol, version }) => [protocol.id, version]))].map(([protocol, version]) => ({
      protocol,
      version,
    })),
    verdict: isDifferent ? 'different' : 'equal',
    checks: [...ofLog(index, findings), ...checks],
    findings: findings.shown,
    findingCounts: findings.counts,
    tables,
    repairs: repairsOf(tables),
    startedAtMs,
    finishedAtMs: options.nowMs(),
  }
}

interface Compared {
  readonly checks: readonly Check[]
  readonly tables: Verification['tables']
  /** Null: the end of the requested range. */
  readonly to: number | null
}

/** The log has a gap before the range: nothing else can be compared. */
const NOTHING: Compared = {
  checks: (['source', 'rows', 'invariants', 'entries'] as const).map((check) => notChecked(check)),
  tables: [],
  to: null,
}

async function compare(index: VerifiedIndex, options: VerifyOptions, findings: Findings, nowMs: number): Promise<Compared> {
  const { source, sample, onProgress, logger, metrics } = options
  const ledgers = index.to - index.from + 1
  const total = source === null ? ledgers : 2 * ledgers
  const before = total - ledgers
  const ofSource = await verifySource(index, source, findings, {
    ...{ logger, metrics },
    onProgress: (ledger) => onProgress(ledger - index.from + 1, total, ledger),
  })
  const { tables, rows, to } = await verifyRows(index, findings, {
    nowMs,
    onProgress: (ledger) => onProgress(before + ledger - index.from + 1, total, ledger),
  })
  const entries = await verifyEntries(index, source, sample, String(nowMs), findings)
  const invariants = statusOf('invariants', findings)
  return {
    checks: [
      ofSource,
      {
        check: 'rows',
        status: tables.length > 0 ? 'different' : 'equal',
        compared: rows,
        detail: 'rows folded again, and the tables derived from them',
      },
      {
        check: 'invariants',
        status: invariants,
        compared: to - index.from + 1,
        detail: 'ledgers whose fold checks the sums of its protocol',
      },
      entries,
    ],
    tables,
    to,
  }
}

function ofLog({ partitions }: VerifiedIndex, findings: Findings): readonly Check[] {
  const checkpoints = partitions.filter(({ checkpoint }) => checkpoint !== null).length
  return [
    {
      check: 'log',
      status: statusOf('log', findings),
      compared: partitions.length,
      detail: 'partitions: slices without a gap, rolling hashes',
    },
    {
      check: 'checkpoints',
      status: statusOf('checkpoints', findings),
      compared: checkpoints,
      detail: 'checkpoints, with the slices of the log',
    },
  ]
}

function statusOf(check: CheckName, findings: Findings): 'equal' | 'different' {
  return findings.countOf(check) > 0 ? 'different' : 'equal'
}

function notChecked(check: CheckName): Check {
  return { check, status: 'not_checked', compared: 0, detail: 'the log has a gap before these ledgers' }
}
