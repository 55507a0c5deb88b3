// /docs/errors with an anchor for each code, and /docs/errors/<code>, to which every error links: docs/errors.md as pages without script.

import { assert } from '@orrery/errors'
import { API_ERRORS, type ApiErrorCode, errorDocsPath } from '../errors.ts'
import { markdownHtml } from './markdown.ts'
import { escaped, type Page, staticPage } from './page.ts'
import { readDocsFile, servedAddress } from './served-files.ts'

const FILE = 'errors.md'

/** The list, then a page for each code of the wire. docs/errors.md has a section for each of them. */
export function errorPages(): Page[] {
  // A paragraph that begins with a status and a full stop is no item of a numbered list.
  const markdown = readDocsFile(FILE).replaceAll(/^(\d{3})\. /gm, '$1\\. ')
  const sections = markdown.split(/^## /m).slice(1)
  const pages = (Object.keys(API_ERRORS) as ApiErrorCode[]).map((code) => {
    const section = sections.find((text) => text.startsWith(`\`${code}\`\n`))
    assert(section !== undefined, `docs/errors.md has no section about ${code}.`)
    return pageOf(code, section.slice(section.indexOf('\n')))
  })
  return [staticPage('/docs/errors', 'Errors', () => html(markdown)), ...pages]
}

function pageOf(code: ApiErrorCode, section: string): Page {
  const content = () => `<h1><code>${escaped(code)}</code></h1>
${html(section)}
<p><a href="/docs/errors#${escaped(code)}">All errors</a> · <a href="/docs">All endpoints</a></p>`
  return staticPage(errorDocsPath(code), code, content)
}

function html(markdown: string): string {
  return markdownHtml(markdown, (file) => servedAddress(FILE, file))
}
