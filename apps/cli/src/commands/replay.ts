// `orrery replay <protocol>`: folds a protocol's whole history again, beside the rows that readers see or, to repair them, over them.

import { OrreryError } from '@orrery/errors'
import { openClickHouse, openStore } from '@orrery/read-model'
import { createLogger, createMetrics, onStopSignals } from '@orrery/service-kit'
import type { CliContext } from '../cli-context.ts'
import type { REPLAY_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { grouped, startProgress } from '../progress.ts'
import { table } from '../table.ts'
import { openDeployment } from '../verify/deployment.ts'
import { type RepairResult, repairVersion } from '../versions/repair-version.ts'
import { type ReplayResult, runReplay } from '../versions/run-replay.ts'
import { targetOf, versionNamed, versionsOf } from '../versions/target.ts'

type ReplayOptions = OptionValues<typeof REPLAY_OPTIONS>

/** Until it has caught up, or a signal stops it. @throws the errors of `runReplay`, `repairVersion`, `openDeployment` and `targetOf`. */
export async function replay(name: string, options: ReplayOptions, context: CliContext): Promise<void> {
  const logger = createLogger({ name: 'replay', level: 'error', json: options.json })
  const stop = new AbortController()
  const ended = Promise.withResolvers<void>()
  const forget = onStopSignals(async () => {
    stop.abort()
    await ended.promise
  }, logger)
  try {
    const { protocol, deployment } = await targetOf(name, options)
    await using stack = new AsyncDisposableStack()
    const { network, log, clickhouse } = await openDeployment({ ...deployment, log: options.log }, stack)
    const connection = stack.use(openClickHouse(clickhouse))
    const store = stack.use(openStore(openClickHouse(clickhouse)))
    const progress = startProgress({ title: 'Replaying', stream: context.stderr, isColourWanted: context.isColourWanted })
    const onProgress = (done: number, total: number, ledger: number): void => progress.update(done, total, ledger)
    const common = { network, protocol, log, store, stop: stop.signal, onProgress, logger, metrics: createMetrics() }
    if (options.sameVersion) {
      checkSameVersion(options)
      const repaired = await repairVersion({ ...common, clickhouse, connection }).finally(() => progress.end())
      context.stdout.write(options.json ? `${JSON.stringify({ event: 'repaired', ...shownRepair(repaired) })}\n` : repairText(repaired))
      return
    }
    const startedMs = performance.now()
    const { indexVersion: number, activate: activates, follow: follows } = options
    const indexVersion = number === undefined ? null : versionNamed(await versionsOf(connection, protocol.id), number)
    const result = await runReplay({ ...common, indexVersion, activates, follows }).finally(() => progress.end())
    const seconds = (performance.now() - startedMs) / 1000
    context.stdout.write(options.json ? `${JSON.stringify(eventOf(result, seconds))}\n` : resultText(result, seconds))
  } finally {
    ended.resolve()
    if (!stop.signal.aborted) forget()
  }
}

/** @throws OrreryError `invalid`/`invalid_options`. */
function checkSameVersion({ activate, follow, indexVersion }: ReplayOptions): void {
  if (!activate && !follow && indexVersion === undefined) return
  throw new OrreryError(
    'invalid',
    'invalid_options',
    '--same-version writes over the rows that readers see: it cannot be combined with --activate, --follow or --index-version. Nothing was changed.',
  )
}

function eventOf({ version, ledger, rows, outcome }: ReplayResult, seconds: number) {
  const { protocol, indexVersion, adapterVersion } = version
  return {
    event: 'replayed',
    protocol,
    indexVersion,
    adapterVersion,
    outcome,
    ledger,
    rows,
    durationSeconds: Math.round(seconds * 10) / 10,
  }
}

function resultText({ version, ledger, rows, outcome }: ReplayResult, seconds: number): string {
  const { protocol, indexVersion } = version
  const folded = `Index version ${indexVersion} of ${protocol} is folded up to ledger ${grouped(ledger)}: ${grouped(rows)} rows in ${Math.ceil(seconds)} s.\n`
  const next = {
    activated: `Readers see it. \`orrery retire ${protocol} <version>\` deletes the rows of an earlier one.\n`,
    caught_up: `Readers do not see it yet. Compare it with \`orrery diff ${protocol}\`, and switch with \`orrery replay ${protocol} --activate\`, which folds what has arrived since.\n`,
    stopped: `Stopped. \`orrery replay ${protocol}\` goes on from there.\n`,
  }
  return folded + next[outcome]
}

function shownRepair({ version, ...rest }: RepairResult) {
  return { protocol: version.protocol, indexVersion: version.indexVersion, ...rest }
}

function repairText({ version, fromLedger, toLedger, rows, tables, checkpoints }: RepairResult): string {
  const { protocol, indexVersion } = version
  const head = `Folded ledgers ${grouped(fromLedger)} to ${grouped(toLedger)} of ${protocol} again: ${grouped(rows)} rows.\n`
  const moved = checkpoints === 0 ? '' : `Set ${checkpoints} checkpoints back to what the log has.\n`
  if (tables.length === 0) return `${head}${moved}Every row of index version ${indexVersion} was equal: nothing was written over.\n`
  const counts = tables.map(({ table: name, counts: { missing, extra, changed } }) => [name, missing, extra, changed])
  return `${head}${moved}Written over in index version ${indexVersion}:\n${table(['table', 'were missing', 'were extra', 'were changed'], counts)}`
}
