// The whole recording as this run of the tests shares it: asked through `/v1`, and through the as-of state reader below it.

import { get as httpGet } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Network, ProtocolId, StateRow } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { openReadModel, type ReadModel, type StateSelection } from '@orrery/read-model'
import { groundTruthRecording } from '@orrery/testkit'
import { inject } from 'vitest'
import type { Whereabouts } from '../global-setup.ts'
import { type Answer, askData, askPath } from '../indexed-network.ts'
import { ANALYST_STATEMENT_BYTES, openAnalyst } from './open-analyst.ts'

const OPTIONS = { tag: { route: 'ground truth', requestId: 'ground-truth' } }

export interface CsvAnswer {
  readonly contentType: string
  /** The header `Link` to the next page; null on the last one. */
  readonly nextPage: string | null
  readonly text: string
}

export class WholeNetwork implements AsyncDisposable {
  readonly network: Network
  readonly readModel: ReadModel
  /** Where it is served. */
  readonly at: Whereabouts

  private constructor(network: Network, at: Whereabouts) {
    this.network = network
    this.at = at
    this.readModel = openReadModel(openAnalyst(at.clickhouseUrl), { statementBytes: ANALYST_STATEMENT_BYTES })
  }

  /** Resolves when everything is indexed: minutes for the first file, at once for the others. */
  static async open(): Promise<WholeNetwork> {
    const network = await loadNetwork(groundTruthRecording().registryFile)
    return new WholeNetwork(network, JSON.parse(await fetchText(inject('wholeNetworkUrl'))))
  }

  /** Requests `/v1`; an equal earlier request as of the same ledger, of any test file, is answered from the cache. */
  get(path: string): Promise<Answer> {
    const isFixed = path.includes('as_of_ledger=')
    return askData(isFixed ? { ...this.at, url: inject('wholeNetworkUrl') } : this.at, path)
  }

  ask(path: string): Promise<{ readonly status: number; readonly body: Answer }> {
    return askPath(this.at, path)
  }

  async csv(path: string): Promise<CsvAnswer> {
    const response = await fetch(`${this.at.url}${path}`, { headers: { 'x-service-api-key': this.at.apiKey, accept: 'text/csv' } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return { contentType: response.headers.get('content-type') ?? '', nextPage: response.headers.get('link'), text }
  }

  /** State rows as of the end of `ledger`. */
  state(protocol: ProtocolId, ledger: number, selection: StateSelection): Promise<StateRow[]> {
    return this.readModel.stateAsOf({ protocol, ledger, ...selection }, OPTIONS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.readModel[Symbol.asyncDispose]()
  }
}

/** Without the timeout of `fetch`, which ends before an index is built on a busy machine. */
export async function fetchText(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  httpGet(url, (response) => {
    const body = text(response)
    if (response.statusCode === 200) body.then(resolve, reject)
    else body.then((why) => reject(new Error(why)), reject)
  }).on('error', reject)
  return promise
}
