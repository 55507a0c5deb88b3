// `orrery mcp`: the data of a running API as tools of a language model, over stdin and stdout or over HTTP.

import { resolve } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { readEmbedded } from '@orrery/identity'
import { isLoopback, mcpEnv, serveHttp, serveStdio } from '@orrery/mcp'
import { createLogger, type Logger, onStopSignals } from '@orrery/service-kit'
import type { CliContext } from '../cli-context.ts'
import type { MCP_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { readRunning } from '../running-file.ts'
import { version } from '../version.ts'

type McpOptions = OptionValues<typeof MCP_OPTIONS>

/** Where `orrery up` serves when no port is given. */
const DEFAULT_URL = 'http://127.0.0.1:8080'

/**
 * Runs until a signal stops it or, over stdio, until the client closes stdin.
 * @throws OrreryError `unauthorized`/`api_key_missing`, and the errors of `mcpEnv`, `serveStdio` and `serveHttp`.
 */
export async function mcp(options: McpOptions, context: CliContext): Promise<void> {
  const logger = createLogger({ name: 'mcp', level: options.logLevel ?? 'warn', json: options.json })
  const stop = new AbortController()
  const ended = Promise.withResolvers<void>()
  const forget = onStopSignals(async () => {
    stop.abort()
    await ended.promise
  }, logger)
  try {
    await serve(options, context, logger, stop.signal)
    ended.resolve()
  } catch (error) {
    if (error === stop.signal.reason) return ended.resolve() // stopped while it started
    ended.promise.catch(() => undefined) // awaited only after a signal
    ended.reject(error)
    throw error
  } finally {
    if (!stop.signal.aborted) forget()
  }
}

async function serve(options: McpOptions, { env, stdin, stdout }: CliContext, logger: Logger, stop: AbortSignal): Promise<void> {
  const { data, httpPort, json } = options
  const { ORRERY_API_KEY: given } = mcpEnv(env)
  const url = options.url ?? readRunning(data)?.url ?? DEFAULT_URL
  const common = { url, version: version(), logger, stop }
  if (httpPort === undefined) {
    const apiKey = given ?? (await keyOfFolder(data, url))
    return serveStdio({ ...common, apiKey, stdin, stdout })
  }
  if (given !== undefined) logger.warn('ORRERY_API_KEY is not used over HTTP: each caller sends a key of its own')
  const onReady = (address: string) =>
    void stdout.write(json ? `${JSON.stringify({ event: 'ready', url: address })}\n` : `MCP over HTTP on ${address}\n`)
  return serveHttp({ ...common, port: httpPort, onReady })
}

/** The key of the folder stays on this machine: the address of the API may have come from anywhere. */
async function keyOfFolder(data: string, url: string): Promise<string> {
  if (!isLoopback(new URL(url))) {
    throw keyMissing(`${url} is not on this machine, so the API key of the data folder ${resolve(data)} is not sent to it`)
  }
  const secrets = await readEmbedded(resolve(data))
  if (secrets === null) throw keyMissing(`There is no API key in the data folder ${resolve(data)}`)
  return secrets.apiKey
}

function keyMissing(reason: string): OrreryError {
  const message = `${reason}. Nothing was started.\nGive a key of that API with ORRERY_API_KEY, or a file that holds it with ORRERY_API_KEY_FILE.`
  return new OrreryError('unauthorized', 'api_key_missing', message)
}
