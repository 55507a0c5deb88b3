// The search of the bar. `/` puts the focus into it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { searchTarget } from '../search/classify.ts'

export function SearchBox() {
  const { route } = useLocation()
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return (
    <search class="search">
      <form
        class="joined"
        onSubmit={(event) => {
          event.preventDefault()
          const target = searchTarget(text)
          if (target === null) return
          setText('')
          route(target)
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="Account, contract, transaction, asset or ledger"
          placeholder="Address, transaction, asset, ledger"
          aria-keyshortcuts="/"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Search</button>
      </form>
    </search>
  )
}
