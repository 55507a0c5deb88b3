// `orrery verify`: compares an index with its log, its source and a second fold. It changes no row of the index; only its verdict is stored.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OrreryError } from '@orrery/errors'
import type { LedgerSource } from '@orrery/ingest'
import type { Network } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { openClickHouse, storeVerification } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import type { CliContext } from '../cli-context.ts'
import type { VERIFY_OPTIONS } from '../command-options.ts'
import { DEMO, demoLake } from '../demo.ts'
import { sourceOf } from '../ledger-source.ts'
import type { OptionValues } from '../options.ts'
import { startProgress } from '../progress.ts'
import { openDeployment } from '../verify/deployment.ts'
import { reportText } from '../verify/report.ts'
import type { Verification } from '../verify/verification.ts'
import { belongsToUp } from '../verify/verify-after-crash.ts'
import { verifyIndex } from '../verify/verify-index.ts'

type VerifyOptions = OptionValues<typeof VERIFY_OPTIONS>

/** @throws OrreryError `corrupt`/`index_differs` after the report when something differs, and the errors of `verifyIndex` and `openDeployment`. */
export async function verify(options: VerifyOptions, context: CliContext): Promise<void> {
  const onlyRunning = belongsToUp()
  const network = await networkOf(options)
  const source = await sourceFor(network, options)
  const { data, log, clickhouseUrl: url, clickhouseUser: user = 'admin', clickhousePassword: password = '' } = options
  const clickhouse = url === undefined ? null : { url, user, password, database: options.clickhouseDatabase }
  await using stack = new AsyncDisposableStack()
  const addresses = await openDeployment({ network, protocols: PROTOCOLS, data, log, clickhouse, onlyRunning }, stack)
  const progress = startProgress({ title: 'Verifying', stream: context.stderr, isColourWanted: context.isColourWanted })
  let found: Verification
  try {
    found = await verifyIndex(addresses, {
      ...{ from: options.from, to: options.to, sample: options.sample, source },
      nowMs: Date.now,
      onProgress: (done, total, ledger) => progress.update(done, total, ledger),
      logger: createLogger({ name: 'verify', level: 'error', json: options.json }),
      metrics: createMetrics(),
    })
  } finally {
    progress.end()
  }
  await using connection = openClickHouse(addresses.clickhouse)
  await storeVerification(connection, {
    ...{ startedAtMs: found.startedAtMs, finishedAtMs: found.finishedAtMs },
    ...{ fromLedger: found.fromLedger, toLedger: found.toLedger, verdict: found.verdict },
    checks: JSON.stringify(found.checks),
    differences: BigInt(countOf(found)),
    repairs: JSON.stringify(found.repairs),
  })
  context.stdout.write(options.json ? `${JSON.stringify({ event: 'verified', ...found })}\n` : reportText(found))
  if (found.verdict === 'equal') return
  throw new OrreryError(
    'corrupt',
    'index_differs',
    `The index differs: ${countOf(found)} rows and findings, which the report on stdout names. Nothing was changed.\nSee docs/operations/verify.md for what each difference means.`,
    { context: { differences: countOf(found) } },
  )
}

/** Differing rows of all tables, and findings of all checks. */
function countOf({ tables, findingCounts }: Verification): number {
  const rows = tables.map(({ counts }) => counts.missing + counts.extra + counts.changed)
  return [...rows, ...Object.values(findingCounts)].reduce((sum, count) => sum + count, 0)
}

/** The registry that is named, else that of the data folder, else that of the demo. */
async function networkOf({ network, data }: VerifyOptions): Promise<Network> {
  const kept = join(resolve(data), 'registry.json')
  return loadNetwork(PROTOCOLS, network ?? (existsSync(kept) ? kept : DEMO))
}

/** Null when no source is named: the log is then not compared with one. The recorded demo network has its own. */
async function sourceFor(network: Network, { lake, rpc }: VerifyOptions): Promise<LedgerSource | null> {
  const options = { network, lake, rpc, onTrouble: () => undefined }
  if (lake !== undefined || rpc !== undefined) return sourceOf(network.name, options)
  const demo = await loadNetwork(PROTOCOLS, DEMO)
  return demo.passphrase === network.passphrase ? sourceOf(network.name, { ...options, lake: demoLake }) : null
}
