// The tools of an API, from the OpenAPI document that it serves.

import { ConnectionError, isApiError } from '@orrery/client'
import { OrreryError } from '@orrery/errors'
import type { Logger } from '@orrery/service-kit'
import { innermostReason } from './innermost-reason.ts'
import { openApiClient } from './open-api-client.ts'
import { ApiDocument } from './operation.ts'
import { type Tools, toolsOf } from './tool.ts'

/** @throws OrreryError `unavailable`/`api_unreachable`, `invalid`/`api_document_absent`; the reason of `stop` when it aborts. */
export async function loadTools(url: string, logger: Logger, stop: AbortSignal): Promise<Tools> {
  const { data: document } = ApiDocument.safeParse(await loadDocument(url, stop))
  const tools = document === undefined ? null : toolsOf(document)
  if (tools === null || tools.byName.size === 0) throw documentAbsent(url, 'what it serves there has no operation of the Orrery API')
  if (tools.missing.length > 0) {
    logger.warn({ url, operations: tools.missing }, 'The API lacks operations, so their tools are left out. It is of another version.')
  }
  return tools
}

async function loadDocument(url: string, stop: AbortSignal): Promise<unknown> {
  try {
    return await openApiClient(url, null).service.document({ signal: stop })
  } catch (error) {
    stop.throwIfAborted()
    if (isApiError(error) && error.status < 500 && error.status !== 429)
      throw documentAbsent(url, `the response has the status ${error.status}`, error)
    if (isApiError(error) || error instanceof ConnectionError) throw unreachable(url, error)
    throw error
  }
}

function unreachable(url: string, cause: Error): OrreryError {
  const message = `The Orrery API at ${url} does not answer: ${innermostReason(cause)}. Nothing was started.\nStart it (\`orrery up\`), or give its address with --url or ORRERY_URL.`
  return new OrreryError('unavailable', 'api_unreachable', message, { cause })
}

function documentAbsent(url: string, reason: string, cause?: Error): OrreryError {
  const message = `${url} serves no OpenAPI document of Orrery at /openapi.json: ${reason}. Nothing was started.\nGive the address of the Orrery API, without /v1, with --url or ORRERY_URL.`
  return new OrreryError('invalid', 'api_document_absent', message, { cause })
}
