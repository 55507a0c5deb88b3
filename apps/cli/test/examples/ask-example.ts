// Makes the requests of the examples to a running demo. Where an example shows a name for a secret, the request has the secret.

import { readFileSync } from 'node:fs'
import { type Example, exampleTarget } from '@orrery/api'
import type { Whereabouts } from '../global-setup.ts'

/** An operation of `/openapi.json`. */
export interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
}

type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, Pick<Operation, 'operationId' | 'security'>>>>>

/** Operations in an order in which each finds what it needs: the login first, because others take its tokens. */
export async function operationsOf(url: string): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { readonly paths: OpenApiPaths }
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => ({ operationId, method, path, security })),
  )
  return [...all.filter(({ operationId }) => operationId === 'logIn'), ...all.filter(({ operationId }) => operationId !== 'logIn')]
}

export class ExampleClient {
  readonly #at: Whereabouts
  /** What the examples show, and what stands for it in this run. */
  readonly #secrets: Map<string, string>

  constructor(at: Whereabouts) {
    this.#at = at
    this.#secrets = new Map([['PASSWORD', readFileSync(at.userPasswordFile, 'utf8').trim()]])
  }

  /** The body of the answer, which must be a success; null if there is none. Remembers the secrets in it for later requests. */
  async ask({ operationId, method, path, security }: Operation, { request }: Example): Promise<unknown> {
    const target = this.#real(exampleTarget(path, request))
    const body = request.body === undefined ? {} : { body: this.#real(JSON.stringify(request.body)) }
    const headers = { ...this.#credential(security), ...(request.body !== undefined && { 'content-type': 'application/json' }) }
    const response = await fetch(`${this.#at.url}${target}`, { method: method.toUpperCase(), headers, ...body })
    const text = await response.text()
    if (!response.ok) throw new Error(`${operationId}: ${response.status} ${text}`)
    if (text === '') return null
    const answer = JSON.parse(text)
    this.#remember('ACCESS_TOKEN', answer.access_token)
    this.#remember('REFRESH_TOKEN', answer.refresh_token)
    this.#remember('API_KEY_ID', answer.api_key_id)
    if (operationId === 'createWebhook') this.#remember('WEBHOOK_ID', answer.id)
    if (operationId === 'testWebhook') this.#remember('DELIVERY_ID', answer.id)
    return answer
  }

  #remember(shown: string, secret: string | undefined): void {
    if (secret !== undefined) this.#secrets.set(shown, secret)
  }

  #real(text: string): string {
    return [...this.#secrets].reduce((all, [shown, secret]) => all.replaceAll(shown, secret), text)
  }

  #credential(security: Operation['security']): Readonly<Record<string, string>> {
    const schemes = security.flatMap((it) => Object.keys(it))
    if (schemes.includes('apiKey')) return { 'x-service-api-key': this.#at.apiKey }
    if (schemes.includes('adminToken')) return { 'x-service-admin-token': this.#at.adminToken }
    return schemes.includes('bearer') ? { authorization: this.#real('Bearer ACCESS_TOKEN') } : {}
  }
}
