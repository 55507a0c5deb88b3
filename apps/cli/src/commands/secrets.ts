// `orrery secrets`: prints the secrets that the first start of a data folder created. `orrery up` only names their files.

import { join, resolve } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { readEmbedded } from '@orrery/identity'
import { keptAnalystPassword } from '@orrery/read-model'
import type { CliContext } from '../cli-context.ts'
import type { SECRETS_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { readRunning } from '../running-file.ts'
import { withCredentials } from '../with-credentials.ts'

/** @throws OrreryError `not_found`/`secrets_absent`, `corrupt`/`embedded_secrets_unreadable`. */
export async function showSecrets({ data, json }: OptionValues<typeof SECRETS_OPTIONS>, { stdout }: CliContext): Promise<void> {
  const secrets = await readEmbedded(resolve(data))
  if (secrets === null) {
    const message = `There are no secrets in the data folder ${resolve(data)}. Nothing was changed.\nName the folder of \`orrery up\` with \`--data\`; its first start makes them.`
    throw new OrreryError('not_found', 'secrets_absent', message)
  }
  const running = readRunning(data)
  const clickhousePassword = keptAnalystPassword(join(resolve(data), 'clickhouse'))
  const analystsUrl = running?.analystsUrl ?? null
  const clickhouseUrl =
    analystsUrl === null || clickhousePassword === null
      ? null
      : withCredentials(analystsUrl, { user: 'analyst', password: clickhousePassword })
  if (json) {
    stdout.write(`${JSON.stringify({ event: 'secrets', ...secrets, clickhouseUrl, clickhousePassword })}\n`)
    return
  }
  const { apiKey, adminToken, organization, userEmail, userPassword } = secrets
  stdout.write(`API key      ${apiKey}   (organization ${organization})
Admin token  ${adminToken}
User         ${userEmail}   password ${userPassword}
ClickHouse   ${clickhouseUrl ?? stopped(running !== null, clickhousePassword)}
`)
}

function stopped(isRunning: boolean, password: string | null): string {
  if (isRunning) return 'not open to analysts'
  if (password === null) return 'not running; the next start creates the password of the analyst'
  return `analyst   password ${password}   (not running; each start chooses another port)`
}
