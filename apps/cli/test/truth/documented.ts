// The service of the whole recording, asked so that every answer is compared with its own OpenAPI document: no member that the document does not
// describe, no value outside of an enumeration.

import { type AnswerCheck, answerCheck, type OpenApiDocument } from '@orrery/api/check-answer'
import { inject } from 'vitest'
import type { Whereabouts } from '../global-setup.ts'
import type { Answer } from '../indexed-network.ts'
import { fetchText } from './whole-network.ts'

/** How often a request is made that the service gave up under load. */
const TRIES = 5

export class DocumentedApi {
  readonly #at: Whereabouts
  readonly #check: AnswerCheck
  /** Paths of the document that are asked with an API key and answer with JSON. */
  readonly paths: readonly string[]
  /** Answers that were checked, by path of the document. */
  readonly counts = new Map<string, number>()
  /** Values that were shown of lists that the document leaves open. */
  readonly open = { tags: new Set<string>(), position_types: new Set<string>(), sources: new Set<string>() }

  private constructor(at: Whereabouts, document: OpenApiDocument) {
    this.#at = at
    this.#check = answerCheck(document)
    const operations = Object.entries(document.paths).flatMap(([path, { get }]) => (get === undefined ? [] : [{ path, get }]))
    // A stream has no answer that ends: ground-truth-stream.system.test.ts reads it.
    const answered = operations.filter(({ get }) => JSON.stringify(get.responses['200']).includes('application/json'))
    this.paths = answered.filter(({ get }) => get.security.some((scheme) => 'apiKey' in scheme)).map(({ path }) => path)
  }

  static async open(): Promise<DocumentedApi> {
    const at: Whereabouts = JSON.parse(await fetchText(inject('wholeNetworkUrl')))
    return new DocumentedApi(at, JSON.parse(await fetchText(`${at.url}/openapi.json`)))
  }

  /** @param template Path of the document, with a value for each of its parameters in `values`. Throws unless the answer is a success that the document describes. */
  async get(template: string, values: Readonly<Record<string, string>> = {}, query = ''): Promise<Answer['data']> {
    const path = template.replaceAll(/{(\w+)}/g, (_, name: string) => values[name] ?? '') + query
    for (let tries = 1; ; tries++) {
      const response = await fetch(`${this.#at.url}${path}`, { headers: { 'x-service-api-key': this.#at.apiKey } })
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.status === 504 && tries < TRIES) continue
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${bytes}`)
      this.#check('GET', path, { status: response.status, headers: Object.fromEntries(response.headers), bytes })
      this.counts.set(template, (this.counts.get(template) ?? 0) + 1)
      const answer: Answer = JSON.parse(bytes.toString('utf8'))
      this.#rememberOpen(answer)
      return answer.data
    }
  }

  #rememberOpen({ enrichment, meta }: Answer): void {
    const { sources } = meta as typeof meta & { readonly sources: readonly string[] }
    for (const tag of Object.values(enrichment.assets).flatMap(({ tags }) => tags)) this.open.tags.add(tag)
    for (const type of Object.values(enrichment.contracts).flatMap(({ position_types }) => position_types))
      this.open.position_types.add(type)
    for (const source of sources) this.open.sources.add(source.replace(/^oracle:C[A-Z2-7]{55}$/, 'oracle:<contract id>'))
  }

  /** All items of a list that has pages. */
  async pages(
    list: string,
    template: string,
    values: Readonly<Record<string, string>> = {},
    query = '?limit=100',
  ): Promise<Answer['data'][]> {
    const items: Answer['data'][] = []
    for (let cursor = ''; ; ) {
      const data = await this.get(template, values, `${query}${cursor}`)
      items.push(...data[list])
      if (data.next_cursor === null) return items
      cursor = `&cursor=${encodeURIComponent(data.next_cursor)}`
    }
  }
}
