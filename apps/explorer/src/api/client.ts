// The client of this tab, and the cache of its answers.

import { createClient, isApiError } from '@orrery/client'
import { QueryCache, QueryClient } from '@tanstack/query-core'
import { apiKey, forgetKey, onKeyChange } from '../session.ts'

/** How long an answer is shown without asking again when the user comes back to a page. */
const FRESH_MS = 30_000

export const client = createClient({
  baseUrl: location.origin,
  apiKey: () => apiKey() ?? '',
  maxRetries: 2,
  // A page that waits longer shows the error instead, with a button that repeats the request.
  maxRetryDelayMs: 10_000,
})

export const answers = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isApiError(error, 'unauthorized')) forgetKey(true)
    },
  }),
  // The client repeats requests itself.
  defaultOptions: { queries: { retry: false, staleTime: FRESH_MS, refetchOnWindowFocus: false, networkMode: 'always' } },
})

// Answers to one key are not shown to the next one.
onKeyChange(() => {
  if (apiKey() === null) answers.clear()
})
