// `orrery status`: the checkpoint and the notices of every partition. It only reads, from a running `orrery up` or any ClickHouse.

import { OrreryError } from '@orrery/errors'
import { SUPPORTED_PROTOCOLS } from '@orrery/ledger'
import {
  type ClickHouseAddress,
  defineQuery,
  openClickHouse,
  openReadModel,
  type PartitionHealth,
  partitionStatus,
  quarantinesOf,
  readPartitionHealth,
} from '@orrery/read-model'
import { controlFacts } from '@orrery/read-model/queries'
import { systemClock } from '@orrery/service-kit'
import { z } from 'zod'
import type { CliContext } from '../cli-context.ts'
import type { STATUS_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'
import { readRunning } from '../running-file.ts'
import { table } from '../table.ts'

type StatusOptions = OptionValues<typeof STATUS_OPTIONS>

/** Observations that the folds could not use, by reason. */
const noticesByReason = defineQuery({
  name: 'notices_by_reason',
  watermark: 'required',
  params: z.object({ watermark: z.int() }),
  row: z.object({
    protocol: z.string(),
    kind: z.string(),
    reason: z.string(),
    count: z.coerce.number(),
    contracts: z.coerce.number(),
    last_ledger: z.number(),
  }),
  sql: `
    SELECT protocol, kind, reason, sum(count) AS count, uniqExact(contract) AS contracts, max(ledger) AS last_ledger
    FROM notices_v1 FINAL
    WHERE (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))} AND ledger <= {watermark:UInt32}
    GROUP BY protocol, kind, reason ORDER BY protocol, count DESC, kind, reason`,
})

export async function status(options: StatusOptions, { stdout }: CliContext): Promise<void> {
  await using readModel = openReadModel(openClickHouse({ ...addressOf(options), retryForMs: 1_000 }))
  const tagged = { tag: { route: 'orrery status', requestId: 'status' } }
  const { ledger: watermark } = await readModel.watermark()
  const quarantined = quarantinesOf(await readModel.tip())
  const partitions = await readPartitionHealth(readModel, tagged)
  const notices = await readModel.query(noticesByReason, { watermark }, tagged)
  const recorded = await readModel.query(controlFacts, {}, tagged)
  const protocol = recorded.findLast(({ kind }) => kind === 'protocol')
  const networkProtocol = protocol === undefined ? null : { version: Number(protocol.value), sinceLedger: protocol.ledger }
  const registries = recorded.flatMap(({ kind, ledger }) => (kind === 'registry' ? [ledger] : []))

  const nowMs = systemClock.nowMs()
  const shown = partitions.map((at) => ({
    protocol: at.protocol,
    version: at.adapter_version,
    indexVersion: at.index_version,
    partition: at.partition,
    state: at.reported ? partitionStatus(at, nowMs) : 'silent',
    checkpoint: at.checkpoint_ledger,
    lagLedgers: Math.max(0, at.seen_ledger - at.checkpoint_ledger),
    contracts: at.contracts_tracked,
    problem: at.gap_after === null ? at.error : `gap (${at.gap_after}, ${at.gap_before}]`,
  }))
  const replays = replaysOf(partitions)
  if (options.json) {
    stdout.write(
      `${JSON.stringify({ event: 'status', watermark, quarantined, partitions: shown, replays, notices, networkProtocol, registriesFrom: registries })}\n`,
    )
    return
  }
  stdout.write(`Everything up to ledger ${grouped(watermark)} is readable.\n`)
  for (const { protocol, partition, ledger } of quarantined)
    stdout.write(`Pools of ${protocol}/${partition} are readable up to ledger ${grouped(ledger)} only: the partition is quarantined.\n`)
  if (networkProtocol !== null && networkProtocol.version > SUPPORTED_PROTOCOLS.newest)
    stdout.write(
      `The network runs protocol ${networkProtocol.version} since ledger ${grouped(networkProtocol.sinceLedger)}; this build supports up to ${SUPPORTED_PROTOCOLS.newest}. Update Orrery.\n`,
    )
  for (const ledger of registries.slice(1)) stdout.write(`Registry additions apply from ledger ${grouped(ledger)}.\n`)
  stdout.write('\n')
  stdout.write(
    table(
      ['protocol', 'version', 'index', 'partition', 'state', 'checkpoint', 'lag', 'contracts', 'problem'],
      shown.map((row) => [
        row.protocol,
        row.version,
        row.indexVersion,
        row.partition,
        row.state,
        grouped(row.checkpoint),
        row.lagLedgers,
        row.contracts,
        row.problem,
      ]),
    ),
  )
  for (const { protocol, indexVersion, version, ledger } of replays)
    stdout.write(
      `\nIndex version ${indexVersion} of ${protocol} (adapter version ${version}) is folded beside it, up to ledger ${grouped(ledger)}.\n`,
    )
  stdout.write(notices.length === 0 ? '\nNo notices.\n' : '\nNotices:\n')
  if (notices.length === 0) return
  stdout.write(
    table(
      ['protocol', 'kind', 'reason', 'count', 'contracts', 'last ledger'],
      notices.map((row) => [row.protocol, row.kind, row.reason, grouped(row.count), row.contracts, grouped(row.last_ledger)]),
    ),
  )
}

/** The index versions that are folded beside the active ones: one for each protocol that has one. */
function replaysOf(partitions: readonly PartitionHealth[]) {
  const replayed = partitions.filter(({ replay_index_version: version }) => version > 0)
  return [...Map.groupBy(replayed, ({ protocol }) => protocol)].map(([protocol, own]) => ({
    protocol,
    indexVersion: own[0]?.replay_index_version ?? 0,
    version: own[0]?.replay_adapter_version ?? 0,
    ledger: Math.min(...own.map(({ replay_ledger: ledger }) => ledger)),
  }))
}

/** @throws OrreryError `unavailable`/`not_running` when no ClickHouse was named and the data folder has none running. */
function addressOf(options: StatusOptions): ClickHouseAddress {
  const { clickhouseUrl, clickhouseUser, clickhousePassword, clickhouseDatabase: database, data } = options
  if (clickhouseUrl !== undefined)
    return { url: clickhouseUrl, user: clickhouseUser ?? 'api', password: clickhousePassword ?? '', database }
  const running = readRunning(data)
  if (running === null) {
    throw new OrreryError(
      'unavailable',
      'not_running',
      `No \`orrery up\` is running on the data folder ${data}. Its data is safe.\nStart it with \`orrery up --data ${data}\`, or name a ClickHouse with \`--clickhouse-url\`.`,
    )
  }
  return { ...running.status, database }
}
