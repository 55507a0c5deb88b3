// /docs/guides and its pages: the files of docs/guides and the pages on single topics, without script.

import { assert } from '@orrery/errors'
import { markdownHtml } from './markdown.ts'
import { type Page, staticPage } from './page.ts'
import { GUIDE_FILES, readDocsFile, servedAddress, TOPIC_FILES } from './served-files.ts'

/** A page with its title and the first sentence below it. */
export interface Guide {
  readonly path: string
  readonly title: string
  readonly about: string
}

const INDEX = 'guides/index.md'

export function guidePages(): Page[] {
  return [INDEX, ...GUIDE_FILES, ...TOPIC_FILES].map((file) => {
    const { path, title } = guideOf(file)
    return staticPage(path, title, () => html(file))
  })
}

/** For lists: each guide and each topic. */
export function guides(): readonly Guide[] {
  return [...GUIDE_FILES, ...TOPIC_FILES].map(guideOf)
}

function guideOf(file: string): Guide {
  const path = servedAddress('.', file)
  const [, title, about] = /^# (.+)\n\n(.+?[.:])(?=\s)/s.exec(readDocsFile(file)) ?? []
  assert(path !== undefined && title !== undefined && about !== undefined, `docs/${file} has no title with a paragraph below it.`)
  return { path, title, about: about.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ') }
}

function html(file: string): string {
  return markdownHtml(readDocsFile(file), (to) => servedAddress(file, to))
}
