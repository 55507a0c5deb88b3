// The client of `/v1` that the tools use.

import { createClient, type OrreryClient } from '@orrery/client'

/** Clients of MCP commonly wait 60 seconds for a tool: two attempts fit into them. */
const LIMITS = { timeoutMs: 25_000, maxRetries: 1, maxRetryDelayMs: 5_000 }

/** Without a key for the OpenAPI document alone. */
export function openApiClient(url: string, apiKey: string | null): OrreryClient {
  // A redirect would carry the key to an address that the operator has not named.
  const fetchWithoutRedirects = (request: Request): Promise<Response> => fetch(request, { redirect: 'error' })
  return createClient({ baseUrl: url, ...(apiKey !== null && { apiKey }), ...LIMITS, fetch: fetchWithoutRedirects })
}
