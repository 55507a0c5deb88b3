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
 * @throws OrreryError `unavailable`/`backup_failed`.
 */
export async function backUpDatabase(connection: ClickHouseConnection, name: string): Promise<void> {
  const database = `\`${connection.database}\``
  await run(connection, `BACKUP TABLE ${database}.${CHECKPOINTS} TO ${placeOf(name, 'checkpoints')}`)
  await run(connection, `BACKUP DATABASE ${database} EXCEPT TABLES ${CHECKPOINTS} TO ${placeOf(name, 'rows')}`)
}

/**
 * Creates the database from `<backup folder of the engine>/<name>`. It must not exist.
 * @param connection Connected to another database, such as `default`, because this one does not exist yet.
 * @throws OrreryError `unavailable`/`backup_failed`.
 */
export async function restoreDatabase(connection: ClickHouseConnection, database: string, name: string): Promise<void> {
  await run(connection, `RESTORE DATABASE \`${database}\` FROM ${placeOf(name, 'rows')}`)
  await run(connection, `RESTORE TABLE \`${database}\`.${CHECKPOINTS} FROM ${placeOf(name, 'checkpoints')}`)
}

function placeOf(name: string, part: Part): string {
  return `File('${name}/${part}')`
}

/** In the background of the engine, because a request would end before a large copy does. */
async function run(connection: ClickHouseConnection, statement: string): Promise<void> {
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
          query: 'SELECT status, error FROM system.backups WHERE id = {id:String}',
          query_params: { id },
          format: 'JSONEachRow',
        })
      ).json<{ readonly status: string; readonly error: string }>(),
    )
    if (found !== undefined && /^(BACKUP_CREATED|RESTORED)$/.test(found.status)) return
    if (found === undefined || /FAILED|CANCELLED/.test(found.status)) throw failed(found?.error ?? 'it is unknown to ClickHouse')
    await delay(POLL_MS)
  }
}

function failed(reason: string): OrreryError {
  const message = `ClickHouse could not copy the database: ${reason}. The index was not changed. Check that the disk has space for a second copy, then start again.`
  return new OrreryError('unavailable', 'backup_failed', message)
}
