// What a call of a tool gives to the model: the answer of the API, or its refusal with the code and the page of the code.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type ApiError, ConnectionError, isApiError } from '@orrery/client'
import { innermostReason } from './innermost-reason.ts'

/** The same as JSON text, for clients that do not read structured content. */
export function answered(answer: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } }
}

/** The model can correct what it asked. `docs`: the address of the page of the code. */
export function refused(code: string, message: string, docs: string | null = null): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `${code}: ${message}${docs === null ? '' : `\nDocumentation: ${docs}`}` }] }
}

/** Null for an error that is none of the API and none of the connection to it. */
export function refusalOf(error: unknown): CallToolResult | null {
  if (isApiError(error)) return refused(error.code, `${error.message}${furtherFacts(error)}`, error.docs)
  if (error instanceof ConnectionError) return refused('api_unreachable', `${error.message}: ${innermostReason(error)}`)
  return null
}

function furtherFacts({ retryAfterSeconds, requestId }: ApiError): string {
  const retry = retryAfterSeconds === null ? '' : `\nAsk again after ${retryAfterSeconds} seconds.`
  return `${retry}${requestId === null ? '' : `\nRequest: ${requestId}`}`
}
