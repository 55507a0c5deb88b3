// Rows of the views that analysts read, for tests that need what `/v1` has no endpoint for.

import { get as httpGet } from 'node:http'
import { json } from 'node:stream/consumers'
import { inject } from 'vitest'
import type { Whereabouts } from '../global-setup.ts'
import { openAnalyst } from './open-analyst.ts'

/** Rows as JSON; integers beyond 32 bits and decimals are texts. */
export async function storedRows(sql: string): Promise<Record<string, string>[]> {
  const { clickhouseUrl } = await new Promise<Whereabouts>((resolve, reject) => {
    httpGet(inject('wholeNetworkUrl'), (response) => json(response).then((it) => resolve(it as Whereabouts), reject)).on('error', reject)
  })
  await using analyst = openAnalyst(clickhouseUrl)
  return await analyst.attempt('stored_rows', async () => (await analyst.client.query({ query: sql, format: 'JSONEachRow' })).json())
}
