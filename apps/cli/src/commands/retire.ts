// `orrery retire <protocol> <version>`: deletes the rows of an index version that readers do not see.

import { OrreryError } from '@orrery/errors'
import {
  type ClickHouseConnection,
  type IndexVersion,
  openClickHouse,
  openShards,
  readIndexVersions,
  retireIndexVersion,
  rowsOfIndexVersion,
} from '@orrery/read-model'
import type { CliContext } from '../cli-context.ts'
import type { RETIRE_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { grouped } from '../progress.ts'
import { openDatabase } from '../verify/deployment.ts'
import { targetOf, versionNamed } from '../versions/target.ts'

type RetireOptions = OptionValues<typeof RETIRE_OPTIONS>

/** An adapter reports every five seconds while it runs. */
const IN_USE_SECONDS = 60

/** @throws OrreryError `invalid`/`index_version_active`, `index_version_in_use`, and the errors of `targetOf`, `versionNamed`, `openDatabase` and `openShards`. */
export async function retire(name: string, number: string, options: RetireOptions, { stdout }: CliContext): Promise<void> {
  const { protocol, deployment } = await targetOf(name, options)
  await using stack = new AsyncDisposableStack()
  const address = await openDatabase(deployment, stack)
  const connection = stack.use(openClickHouse(address))
  const versions = await readIndexVersions(connection, protocol.id)
  // One whose deletion was interrupted is retired again.
  const begun = versions.find(({ indexVersion, isRetired }) => isRetired && indexVersion === Number(number))
  const version = begun ?? versionNamed(versions, Number(number))
  if (version.isActive) throw active(version)
  if (!options.force && (await isInUse(connection, version))) throw inUse(version)
  const rows = [...(await rowsOfIndexVersion(connection, version)).values()].reduce((sum, count) => sum + count, 0)
  const shards = await openShards(address, stack)
  if (!(await retireIndexVersion(connection, version, shards))) throw active(version)
  const { indexVersion } = version
  stdout.write(
    options.json
      ? `${JSON.stringify({ event: 'retired', protocol: protocol.id, indexVersion, rows })}\n`
      : `Deleted index version ${indexVersion} of ${protocol.id}: ${grouped(rows)} rows.\n`,
  )
}

async function isInUse(connection: ClickHouseConnection, { protocol, indexVersion }: IndexVersion): Promise<boolean> {
  const query = `SELECT count() AS reports FROM adapter_health_v1 FINAL
    WHERE protocol = {protocol:String} AND adapter_version = {version:UInt16} AND reported_at > now64(3) - INTERVAL {seconds:UInt32} SECOND`
  const query_params = { protocol, version: indexVersion, seconds: IN_USE_SECONDS }
  const rows = await connection.attempt('index_version_in_use', async () =>
    (await connection.client.query({ query, query_params, format: 'JSONEachRow' })).json<{ reports: string }>(),
  )
  return Number(rows[0]?.reports ?? 0) > 0
}

function active({ protocol, indexVersion }: IndexVersion): OrreryError {
  return new OrreryError(
    'invalid',
    'index_version_active',
    `Readers see index version ${indexVersion} of ${protocol}. Nothing was deleted. Activate another one first with \`orrery activate ${protocol} <version>\`.`,
  )
}

function inUse({ protocol, indexVersion }: IndexVersion): OrreryError {
  return new OrreryError(
    'invalid',
    'index_version_in_use',
    `An adapter or a replay reported on index version ${indexVersion} of ${protocol} within the last ${IN_USE_SECONDS} seconds. Nothing was deleted. Stop it and wait a minute, or use --force if it has stopped.`,
  )
}
