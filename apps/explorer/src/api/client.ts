// The client of this tab, and the cache of its answers.

import { createClient } from '@orrery/client'
import { QueryClient } from '@tanstack/query-core'
import { apiKey, forgetKey, onKeyChange } from '../session.ts'

/** How long an answer is shown without asking again when the user comes back to a page. */
const FRESH_MS = 30_000

export const client = createClient({
  baseUrl: location.origin,
  apiKey: () => apiKey() ?? '',
  maxRetries: 2,
  // A page that waits longer shows the error instead, with a button that repeats the request.
  maxRetryDelayMs: 10_000,
  // Of the key that is used now: an answer to the one before may come late.
  onResponse: ({ status }, request) => {
    if (status === 401 && request.headers.get('x-service-api-key') === apiKey()) forgetKey(true)
  },
})

export const answers = new QueryClient({
  // The client repeats requests itself.
  defaultOptions: { queries: { retry: false, staleTime: FRESH_MS, refetchOnWindowFocus: false, networkMode: 'always' } },
})

// Answers to one key are not shown to the next one.
onKeyChange(() => {
  if (apiKey() === null) answers.clear()
})
