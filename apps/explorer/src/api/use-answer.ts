// The answer to a call as state of a component: requested once, shared by all components with the same call.

import { type QueryKey, QueryObserver, type QueryObserverOptions } from '@tanstack/query-core'
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
  /** Show the previous page of the same list until the new one comes. */
  readonly keepPrevious?: boolean
}

/** @param call Null: nothing is requested. */
export function useAnswer<Answer>(call: ApiCall<Answer> | null, { keepPrevious = false }: AnswerOptions = {}): AnswerState<Answer> {
  const queryKey: QueryKey =
    call === null ? ['nothing'] : [call.resource, call.method, ...call.args, ...(call.take === undefined ? [] : [{ take: call.take }])]
  const previousPage = (previous: Answer | undefined, query: { readonly queryKey: QueryKey } | undefined): Answer | undefined =>
    keepPrevious && query !== undefined && isSameList(query.queryKey, queryKey) ? previous : undefined
  const options: QueryObserverOptions<Answer> = {
    queryKey,
    queryFn: () => (call === null ? Promise.reject(new Error('nothing is requested')) : call.send(client)),
    enabled: call !== null,
    // Its type excludes answers that are functions, which the compiler cannot decide of a type parameter.
    placeholderData: previousPage as NonNullable<QueryObserverOptions<Answer>['placeholderData']>,
  }
  const resolved = answers.defaultQueryOptions(options)
  const [observer] = useState(() => new QueryObserver<Answer>(answers, resolved))
  const [, setChange] = useState({})
  useEffect(() => observer.subscribe(() => setChange({})), [observer])
  useEffect(() => observer.setOptions(resolved), [observer, JSON.stringify(resolved.queryKey), call === null])
  const result = observer.getOptimisticResult(resolved)
  return {
    answer: result.data,
    error: result.isFetching ? null : result.error,
    isLoading: result.isFetching,
    isPrevious: result.isPlaceholderData,
    retry: () => void observer.refetch(),
  }
}

/** Whether the calls are about the same thing: the actions of another account are another list. Their methods may differ, as those of a portfolio now and then do. */
function isSameList(one: QueryKey, other: QueryKey): boolean {
  const named = (key: QueryKey): string =>
    JSON.stringify([
      key[0],
      ...key
        .slice(2)
        .flat()
        .filter((part) => typeof part === 'string'),
    ])
  return named(one) === named(other)
}
