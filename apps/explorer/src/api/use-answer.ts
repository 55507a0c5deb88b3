// The answer to a call as state of a component: requested once, shared by all components with the same call.

import { keepPreviousData, QueryObserver, type QueryObserverOptions } from '@tanstack/query-core'
import { useEffect, useState } from 'preact/hooks'
import type { ApiCall } from './api-call.ts'
import { answers, client } from './client.ts'

export interface AnswerState<Answer> {
  /** Undefined until the first answer. */
  readonly answer: Answer | undefined
  /** The last request failed. Null: it did not, or is under way. */
  readonly error: Error | null
  /** A request is under way. */
  readonly isLoading: boolean
  /** `answer` is of the previous call, such as the page before. */
  readonly isPrevious: boolean
  retry(): void
}

export interface AnswerOptions {
  /** Show the answer of the previous call until the new one comes: for pages of one list. */
  readonly keepPrevious?: boolean
}

/** @param call Null: nothing is requested. */
export function useAnswer<Answer>(call: ApiCall<Answer> | null, { keepPrevious = false }: AnswerOptions = {}): AnswerState<Answer> {
  const options: QueryObserverOptions<Answer> = {
    queryKey: call === null ? ['nothing'] : [call.resource, call.method, ...call.args],
    queryFn: () => (call === null ? Promise.reject(new Error('nothing is requested')) : call.send(client)),
    enabled: call !== null,
    ...(keepPrevious && { placeholderData: keepPreviousData as never }),
  }
  const resolved = answers.defaultQueryOptions(options)
  const [observer] = useState(() => new QueryObserver<Answer>(answers, resolved))
  const [, setChange] = useState({})
  useEffect(() => observer.subscribe(() => setChange({})), [observer])
  useEffect(() => observer.setOptions(resolved), [observer, JSON.stringify(resolved.queryKey), call === null])
  const result = observer.getOptimisticResult(resolved as never)
  return {
    answer: result.data,
    error: result.isFetching ? null : result.error,
    isLoading: result.isFetching,
    isPrevious: result.isPlaceholderData,
    retry: () => void observer.refetch(),
  }
}
