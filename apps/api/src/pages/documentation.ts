// All pages of the documentation, which need no key and change only with the build.

import { readFileSync } from 'node:fs'
import type { OpenApiDocument } from '../openapi.ts'
import { errorPages } from './error-pages.ts'
import { guidePages } from './guide-pages.ts'
import { llmsText } from './llms-text.ts'
import { type Page, STATIC_POLICY } from './page.ts'
import { plainReference } from './plain-reference.ts'
import { referencePage } from './reference-page.ts'

/** Address of the script of Scalar, which is too large to be in memory before a browser asks for it. */
export const SCALAR_PATH = '/docs/assets/scalar.js'

const ASSETS = [
  ['bar.css', 'css'],
  ['pages.css', 'css'],
  ['reference.css', 'css'],
  ['before-scalar.js', 'js'],
  ['reference.js', 'js'],
] as const

export function documentationPages(document: OpenApiDocument): Page[] {
  const text = (path: string, type: string, body: () => string): Page => ({ path, type, body, policy: STATIC_POLICY })
  const asset = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8')
  return [
    text('/openapi.json', 'json', () => JSON.stringify(document)),
    text('/llms.txt', 'text', () => llmsText(document)),
    referencePage(document),
    plainReference(document),
    ...errorPages(),
    ...guidePages(),
    ...ASSETS.map(([name, type]) => text(`/docs/assets/${name}`, type, () => asset(name))),
  ]
}
