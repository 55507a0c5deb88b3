// The frame of every page: its heading, the title of the window, and the focus after a change of page.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface PageProps {
  readonly title: string
  /** The title is the name of what `id` identifies, which is known after an answer only. */
  readonly isNamedLater?: boolean
  /** A line above the heading: what kind of page it is. */
  readonly kind?: string
  /** The whole identifier that the page is about. */
  readonly id?: string
  readonly children: ComponentChildren
}

/** True once a page was shown: the focus stays at the start of the document when the first one opens. */
let hasShownPage = false

export function Page({ title, isNamedLater = false, kind, id, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const subject = id ?? title
  useEffect(() => {
    // Readers of the screen continue at the heading of the new page, not at the link that is gone.
    if (hasShownPage) heading.current?.focus({ preventScroll: true })
    hasShownPage = true
  }, [kind, subject])
  useEffect(() => {
    document.title = `${title} · Orrery explorer`
  }, [title])
  return (
    <main id="content" class="page" tabIndex={-1}>
      <header class="page-head">
        {kind !== undefined && <p class="kind">{kind}</p>}
        <h1 ref={heading} tabIndex={-1} class={isNamedLater ? 'named-later' : undefined}>
          {title}
        </h1>
        {id !== undefined && <p class="mono id">{id}</p>}
      </header>
      {children}
    </main>
  )
}
