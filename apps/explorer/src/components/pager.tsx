// Pages of a list by their cursors. The way back needs the cursors of the pages before, which the caller keeps in a `Trail`.

import { useState } from 'preact/hooks'

export interface Trail {
  /** Of the page that is shown; undefined on the first one. */
  readonly cursor: string | undefined
  /** From 1. */
  readonly page: number
  next(cursor: string): void
  back(): void
}

/** @param key Of the list: with another one, the first page is shown. */
export function useTrail(key: string): Trail {
  const [trail, setTrail] = useState<{ readonly key: string; readonly cursors: readonly string[] }>({ key, cursors: [] })
  const cursors = trail.key === key ? trail.cursors : []
  return {
    cursor: cursors.at(-1),
    page: cursors.length + 1,
    next: (cursor) => setTrail({ key, cursors: [...cursors, cursor] }),
    back: () => setTrail({ key, cursors: cursors.slice(0, -1) }),
  }
}

interface PagerProps {
  readonly trail: Trail
  readonly nextCursor: string | null
  /** What is listed. */
  readonly about: string
}

export function Pager({ trail, nextCursor, about }: PagerProps) {
  if (nextCursor === null && trail.page === 1) return null
  return (
    <nav class="pager" aria-label={`Pages of ${about}`}>
      <button type="button" disabled={trail.page === 1} onClick={trail.back}>
        Previous
      </button>
      <span>Page {trail.page}</span>
      <button type="button" disabled={nextCursor === null} onClick={() => nextCursor !== null && trail.next(nextCursor)}>
        Next
      </button>
    </nav>
  )
}
