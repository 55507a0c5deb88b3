// Copies of the whole database by the engine's own BACKUP and RESTORE, into the one folder that its configuration allows for them.

import { setTimeout as delay } from 'node:timers/promises'
import { OrreryError } from '@orrery/errors'
import type { ClickHouseConnection } from '../connection.ts'

/** Copied first: a row that was written after its copy lies behind the checkpoint and is folded and written again. */
const CHECKPOINTS = 'checkpoints_v1'

const PARTS = ['checkpoints', 'rows'] as const
type Part = (typeof PARTS)[number]

const POLL_MS = 200

/**
 * Writes the database to `<backup folder of the engine>/<name>`, also while adapters write to it: every row that a checkpoint in the copy covers is in the
 * copy as well. The tables may also have later rows, which the fold writes again.
 * @param connection As a user with the right BACKUP.
 * @param stop Ends the copying, also in ClickHouse; its reason is thrown.
 * @throws OrreryError `unavailable`/`backup_failed`.
 */
export async function backUpDatabase(connection: ClickHouseConnection, name: string, stop: AbortSignal): Promise<void> {
  const database = `\`${connection.database}\``
  const back = (what: string, part: Part) => run(connection, `BACKUP ${what} TO ${placeOf(name, part)}`, notBackedUp, stop)
  await back(`TABLE ${database}.${CHECKPOINTS}`, 'checkpoints')
  await back(`DATABASE ${database} EXCEPT TABLES ${CHECKPOINTS}`, 'rows')
}

/**
 * Creates the database from `<backup folder of the engine>/<name>`. It must not exist.
 * @param connection Connected to another database, such as `default`, because this one does not exist yet.
 * @throws OrreryError `unavailable`/`restore_failed`.
 */
export async function restoreDatabase(connection: ClickHouseConnection, database: string, name: string): Promise<void> {
  await run(connection, `RESTORE DATABASE \`${database}\` FROM ${placeOf(name, 'rows')}`, notRestored)
  await run(connection, `RESTORE TABLE \`${database}\`.${CHECKPOINTS} FROM ${placeOf(name, 'checkpoints')}`, notRestored)
}

function placeOf(name: string, part: Part): string {
  return `File('${name}/${part}')`
}

interface Progress {
  readonly status: string
  readonly error: string
  readonly query_id: string
}

/** In the background of the engine, because a request would end before a large copy does. */
async function run(
  connection: ClickHouseConnection,
  statement: string,
  failed: (reason: string) => OrreryError,
  stop?: AbortSignal,
): Promise<void> {
  const started = await connection.attempt(
    'backup',
    async () =>
      // BACKUP answers with rows, but takes its own FORMAT only before ASYNC: the settings of the request choose it.
      (await connection.client.exec({ query: `${statement} ASYNC`, clickhouse_settings: { default_format: 'JSONEachRow' } })).stream
        .setEncoding('utf8')
        .toArray(),
    { retryForMs: 0 },
  )
  const { id } = JSON.parse(started.join('')) as { readonly id: string }
  for (;;) {
    const [found] = await connection.attempt('backup_status', async () =>
      (
        await connection.client.query({
          query: 'SELECT status, error, query_id FROM system.backups WHERE id = {id:String}',
          query_params: { id },
          format: 'JSONEachRow',
        })
      ).json<Progress>(),
    )
    if (found !== undefined && /^(BACKUP_CREATED|RESTORED)$/.test(found.status)) return stop?.throwIfAborted()
    if (found === undefined || /FAILED|CANCELLED/.test(found.status)) throw failed(found?.error ?? 'it is unknown to ClickHouse')
    if (stop?.aborted) await end(connection, found)
    stop?.throwIfAborted()
    await delay(POLL_MS)
  }
}

/** Returns when the statement has ended. */
async function end(connection: ClickHouseConnection, { query_id }: Progress): Promise<void> {
  const kill = { query: 'KILL QUERY WHERE query_id = {query_id:String} SYNC', query_params: { query_id } }
  await connection.attempt('backup_end', () => connection.client.command(kill))
}

function notBackedUp(reason: string): OrreryError {
  const message = `ClickHouse could not copy the database: ${reason}. The index was not changed. Check that the disk has space for a second copy, delete the folder that was being written, then start again.`
  return new OrreryError('unavailable', 'backup_failed', message)
}

function notRestored(reason: string): OrreryError {
  const message = `ClickHouse could not restore the database: ${reason}. The backup is as it was. Check that the disk has space for two copies, delete the folder that was being made, then start again.`
  return new OrreryError('unavailable', 'restore_failed', message)
}
