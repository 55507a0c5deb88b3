// Pages of the repository as HTML. The source is our own and trusted; HTML in it is shown as text all the same.

import { Marked, type Tokens } from 'marked'
import { escaped } from './page.ts'

/** The address of a page that is served, by the path of its file; undefined for files that are not served. */
export type LinkTarget = (file: string) => string | undefined

/**
 * Headings get ids, so that each has an anchor. Wide tables and code scroll by themselves, by keyboard too. Links to files that are not served
 * become plain text.
 */
export function markdownHtml(markdown: string, target: LinkTarget): string {
  const taken = new Set<string>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const id = headingId(text, taken)
        const content = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${id}">${content}</h1>\n`
        return `<h${depth} id="${id}">${content} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens)
        const address = addressOf(href, target)
        return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`
      },
      code({ text, lang }: Tokens.Code): string {
        const name = lang === undefined || lang === '' ? 'code' : lang
        return `<pre tabindex="0" role="group" aria-label="${escaped(name)}"><code>${escaped(text)}</code></pre>\n`
      },
      table(token: Tokens.Table): string {
        const head = token.header.map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`).join('')
        const rows = token.rows.map((row) => `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join('')}</tr>`)
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag): string => escaped(text),
    },
  })
  return marked.parse(markdown, { async: false })
}

function addressOf(href: string, target: LinkTarget): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href
  const [file = '', fragment] = href.split('#')
  const page = target(file)
  return page === undefined || fragment === undefined ? page : `${page}#${fragment}`
}

/** As in the pages of the repository: lower case, hyphens for spaces, without other marks; numbered if taken. */
function headingId(text: string, taken: Set<string>): string {
  const id = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  let unique = id
  for (let n = 1; taken.has(unique); n++) unique = `${id}-${n}`
  taken.add(unique)
  return unique
}
