// Files of `docs/` that the API serves as pages.

import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

const FOLDER = new URL('../../../../docs/', import.meta.url)
const GUIDES = 'guides'

/** Pages beside the guides, in the order of the list: file and name in the address. */
const TOPICS: readonly (readonly [file: string, name: string])[] = [
  ['wallet-screens.md', 'wallet-screens'],
  ['csv.md', 'csv'],
  ['streams.md', 'streams'],
  ['webhooks.md', 'webhooks'],
  ['pricing.md', 'pricing'],
  ['not-indexed.md', 'not-indexed'],
  ['mcp.md', 'mcp'],
  ['analysts.md', 'analysts'],
]

/** The guides in the order of their list, then the topics. Paths are relative to `docs/`. */
export const GUIDE_FILES: readonly string[] = [...readDocsFile(`${GUIDES}/index.md`).matchAll(/\]\(([\w-]+\.md)\)/g)].map(
  ([, name]) => `${GUIDES}/${name}`,
)
export const TOPIC_FILES: readonly string[] = TOPICS.map(([file]) => file)

const ADDRESSES: ReadonlyMap<string, string> = new Map([
  ['errors.md', '/docs/errors'],
  [`${GUIDES}/index.md`, '/docs/guides'],
  ...GUIDE_FILES.map((file) => [file, `/docs/guides/${posix.basename(file, '.md')}`] as const),
  ...TOPICS.map(([file, name]) => [file, `/docs/${name}`] as const),
])

export function readDocsFile(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8')
}

/** The address of a file that a served file links to, both relative to `docs/`. Undefined: it is not served. */
export function servedAddress(from: string, to: string): string | undefined {
  return ADDRESSES.get(posix.join(posix.dirname(from), to))
}
