// /docs/errors/<code>: the section of docs/errors.md about one code as a page without script, for the link in every error.

import { readFileSync } from 'node:fs'
import { assert } from '@orrery/errors'
import { escaped, inline, STYLE } from './docs-page.ts'
import { API_ERRORS, type ApiErrorCode, errorDocsPath } from './errors.ts'

const SOURCE = new URL('../../../docs/errors.md', import.meta.url)

export interface ErrorPage {
  readonly path: string
  readonly html: string
}

/** One page for each code of the wire. Reads docs/errors.md, which has a section for each of them. */
export function errorPages(): ErrorPage[] {
  const sections = readFileSync(SOURCE, 'utf8').split(/^## /m).slice(1)
  return (Object.keys(API_ERRORS) as ApiErrorCode[]).map((code) => {
    const section = sections.find((text) => text.startsWith(`\`${code}\`\n`))
    assert(section !== undefined, `docs/errors.md has no section about ${code}.`)
    return { path: errorDocsPath(code), html: pageOf(code, section.slice(section.indexOf('\n'))) }
  })
}

function pageOf(code: ApiErrorCode, section: string): string {
  const paragraphs = section
    .trim()
    .split(/\n{2,}/)
    .map((text) => `<p>${inline(withoutLinks(text))}</p>`)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(code)}</title><style>${STYLE}</style></head>
<body>
<h1><code>${escaped(code)}</code></h1>
${paragraphs.join('\n')}
<p>All endpoints: <a href="/docs">/docs</a></p>
</body>
</html>
`
}

/** Links of the source lead to files of the repository, which are not served: their text stays. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
}
