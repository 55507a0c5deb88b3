// `orrery mcp`: the data of a running API as tools of a language model, over stdin and stdout or over HTTP.

import { mcpEnv, serveHttp, serveStdio } from '@orrery/mcp'
import { createLogger, type Logger, onStopSignals } from '@orrery/service-kit'
import { apiUrlOf, keyOfFolder } from '../api-access.ts'
import type { CliContext } from '../cli-context.ts'
import type { MCP_OPTIONS } from '../command-options.ts'
import type { OptionValues } from '../options.ts'
import { version } from '../version.ts'

type McpOptions = OptionValues<typeof MCP_OPTIONS>

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
  const url = apiUrlOf(options)
  const common = { url, version: version(), logger, stop }
  if (httpPort === undefined) {
    const apiKey = given ?? (await keyOfFolder(data, url, 'Nothing was started.'))
    return serveStdio({ ...common, apiKey, stdin, stdout })
  }
  if (given !== undefined) logger.warn('ORRERY_API_KEY is not used over HTTP: each caller sends a key of its own')
  const onReady = (address: string) =>
    void stdout.write(json ? `${JSON.stringify({ event: 'ready', url: address })}\n` : `MCP over HTTP on ${address}\n`)
  return serveHttp({ ...common, port: httpPort, onReady })
}
