// The API that a command asks, and the key for it: of the environment, or of a data folder on this machine.

import { resolve } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { readEmbedded } from '@orrery/identity'
import { isLoopback } from '@orrery/mcp'
import { readRunning } from './running-file.ts'

/** Where `orrery up` serves when no port is given. */
const DEFAULT_URL = 'http://127.0.0.1:8080'

/** The address that was given, else that of the `orrery up` on the folder. */
export function apiUrlOf({ url, data }: { readonly url?: string | undefined; readonly data: string }): string {
  return url ?? readRunning(data)?.url ?? DEFAULT_URL
}

/**
 * The key of the folder stays on this machine: the address of the API may have come from anywhere.
 * @param nothingDone Second sentence of the error, such as `Nothing was started.`
 * @throws OrreryError `unauthorized`/`api_key_missing`, `corrupt`/`embedded_secrets_unreadable`.
 */
export async function keyOfFolder(data: string, url: string, nothingDone: string): Promise<string> {
  if (!isLoopback(new URL(url))) {
    throw keyMissing(`${url} is not on this machine, so the API key of the data folder ${resolve(data)} is not sent to it`, nothingDone)
  }
  const secrets = await readEmbedded(resolve(data))
  if (secrets === null) throw keyMissing(`There is no API key in the data folder ${resolve(data)}`, nothingDone)
  return secrets.apiKey
}

function keyMissing(reason: string, nothingDone: string): OrreryError {
  const message = `${reason}. ${nothingDone}\nGive a key of that API with ORRERY_API_KEY, or a file that holds it with ORRERY_API_KEY_FILE.`
  return new OrreryError('unauthorized', 'api_key_missing', message)
}
