// The bar at the top of every page: the way home, the search and the pages that belong to no single object.

import { useLocation } from 'preact-iso'
import { BASE, INDEX_PATH, RISK_PATH } from '../paths.ts'
import { forgetKey } from '../session.ts'
import { SearchBox } from './search-box.tsx'

export function TopBar({ hasKey }: { readonly hasKey: boolean }) {
  const { path } = useLocation()
  return (
    <header class="top">
      <a class="skip" href="#content">
        To the content
      </a>
      <nav aria-label="Explorer">
        <a class="name" href={BASE}>
          Orrery
        </a>
        {/* On a phone the name leads home. */}
        <a class="wide" href={BASE} aria-current={path === BASE ? 'page' : undefined}>
          Home
        </a>
        <a href={RISK_PATH} aria-current={path === RISK_PATH ? 'page' : undefined}>
          Risk
        </a>
        <a href={INDEX_PATH} aria-current={path === INDEX_PATH ? 'page' : undefined}>
          Index
        </a>
        <a href="/docs">API</a>
      </nav>
      {hasKey && <SearchBox />}
      {hasKey && (
        <button type="button" class="plain" onClick={() => forgetKey()}>
          Forget key
        </button>
      )}
    </header>
  )
}
