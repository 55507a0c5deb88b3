// What `orrery verify` and the commands of index versions read: the data folder of a running `orrery up`, a stopped one, or a log and a ClickHouse server.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { openLog } from '@orrery/event-log'
import type { Network, Protocol } from '@orrery/protocol-kit'
import { assertMigrated, type ClickHouseAddress, migrate, startClickHouseHost } from '@orrery/read-model'
import { openDataFolder } from '../data-folder.ts'
import { readRunning } from '../running-file.ts'
import { logOptions } from './env.ts'
import type { IndexAddresses } from './verified-index.ts'

export interface Deployment {
  readonly network: Network
  readonly protocols: readonly Protocol<unknown>[]
  /** Data folder of `orrery up`; used where no ClickHouse is named. */
  readonly data: string
  /** `lmdb:<folder>` or `kafka:<host>:<port>`; the log of the data folder when not given. */
  readonly log?: string | undefined
  readonly clickhouse: ClickHouseAddress | null
  /** With the variables of Kafka; those of this process when not given. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Never locks a stopped data folder: it is refused. */
  readonly onlyRunning?: boolean
  /** Tables of an older build are refused instead of migrated. */
  readonly leavesTables?: boolean
}

/**
 * Opens the log and finds ClickHouse; a stopped data folder is locked and its engine started, until `stack` is disposed.
 * @throws OrreryError `not_found`/`data_folder_absent`, `unavailable`/`not_running`, `invalid`/`log_missing`, `data_folder_in_use`, and the errors of engine and log.
 */
export async function openDeployment(deployment: Deployment, stack: AsyncDisposableStack): Promise<IndexAddresses> {
  const { network, protocols, data } = deployment
  if (deployment.clickhouse !== null && deployment.log === undefined) throw logMissing()
  const clickhouse = await openDatabase(deployment, stack)
  const log = stack.use(await openLog(deployment.log ?? `lmdb:${join(resolve(data), 'log')}`, logOptions(deployment.env)))
  return { network, protocols, log, clickhouse }
}

/**
 * The same for a command that needs no log.
 * @throws OrreryError `not_found`/`data_folder_absent`, `data_folder_in_use`, and the errors of the engine and of `migrate` or `assertMigrated`.
 */
export async function openDatabase(
  { network, data, clickhouse, onlyRunning = false, leavesTables = false }: Omit<Deployment, 'protocols' | 'log' | 'env'>,
  stack: AsyncDisposableStack,
): Promise<ClickHouseAddress> {
  const folder = resolve(data)
  if (clickhouse !== null) return clickhouse
  if (!existsSync(join(folder, 'network.json'))) throw absent(folder)
  const running = readRunning(folder)?.admin
  // The file of a run that was killed remains: its engine does not answer.
  if (running !== undefined && (await answers(running))) return running
  if (onlyRunning) throw notRunning(folder)
  return await ofStoppedFolder(folder, { network, leavesTables }, stack)
}

async function ofStoppedFolder(
  folder: string,
  { network, leavesTables }: Required<Pick<Deployment, 'network' | 'leavesTables'>>,
  stack: AsyncDisposableStack,
): Promise<ClickHouseAddress> {
  const locked = stack.use(openDataFolder(folder, network))
  const host = stack.use(await startClickHouseHost({ dir: locked.clickhouse }))
  const clickhouse = host.address('admin')
  // A folder of an older build: as its next start would do.
  await (leavesTables ? assertMigrated(clickhouse) : migrate(clickhouse))
  return clickhouse
}

const ANSWERS_WITHIN_MS = 5_000

async function answers({ url, headers = {} }: ClickHouseAddress): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS)
  return fetch(`${url}/?query=SELECT+1`, { headers: { ...headers, connection: 'close' }, signal }).then(
    ({ ok }) => ok,
    () => false,
  )
}

function absent(folder: string): OrreryError {
  return new OrreryError(
    'not_found',
    'data_folder_absent',
    `There is no index in the data folder ${folder}. Nothing was changed.\nName the folder of \`orrery up\` with \`--data\`, or a log and a ClickHouse with \`--log\` and \`--clickhouse-url\`.`,
  )
}

function notRunning(folder: string): OrreryError {
  return new OrreryError('unavailable', 'not_running', `No \`orrery up\` runs on ${folder} any more. Nothing was changed.`)
}

function logMissing(): OrreryError {
  return new OrreryError(
    'invalid',
    'log_missing',
    'A ClickHouse server was named without its event log. Nothing was changed.\nName the log with `--log lmdb:<folder>` or `--log kafka:<host>:<port>`.',
  )
}
