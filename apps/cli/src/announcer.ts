// What `orrery up` says: results on stdout, as JSON lines or for eyes; talk on stderr, for eyes always.

import type { Embedded } from '@orrery/identity'
import { grouped } from './progress.ts'
import type { Story } from './story.ts'

export interface Ready {
  readonly url: string
  readonly internalUrl: string
  /** With the analyst's name and password in it. */
  readonly clickhouseUrl: string
  readonly secrets: Embedded
}

export interface CaughtUp {
  readonly ledger: number
  readonly firstLedger: number
  /** Written by this run; after a restart there may be none. */
  readonly rows: number
  readonly durationSeconds: number
}

interface Output {
  write(text: string): unknown
}

export class Announcer {
  readonly #json: boolean
  readonly #stdout: Output
  readonly #stderr: Output

  constructor(json: boolean, streams: { readonly stdout: Output; readonly stderr: Output }) {
    this.#json = json
    this.#stdout = streams.stdout
    this.#stderr = streams.stderr
  }

  starting(network: string, source: string, folder: string): void {
    this.#stderr.write(`Starting: the network ${network} from ${source}, kept in ${folder}\n`)
  }

  note(text: string): void {
    this.#stderr.write(`${text}\n`)
  }

  ready({ url, internalUrl, clickhouseUrl, secrets }: Ready): void {
    const { apiKey, adminToken, organization, userEmail, userPasswordFile } = secrets
    if (this.#json) {
      this.#line({ event: 'ready', url, internalUrl, clickhouseUrl, apiKey, adminToken, organization, userEmail, userPasswordFile })
      return
    }
    this.#stdout.write(`
Orrery is up. It answers while it indexes.

  API         ${url}/v1   (pages: ${url}/docs)
  Key         ${apiKey}
  ClickHouse  ${clickhouseUrl}   (database orrery)
  Probes      ${internalUrl}/readyz   ${internalUrl}/metrics

`)
  }

  caughtUp({ ledger, firstLedger, rows, durationSeconds }: CaughtUp): void {
    if (this.#json) {
      this.#line({ event: 'caught_up', ledger, firstLedger, rows, durationSeconds })
      return
    }
    const work = rows === 0 ? 'nothing was left to index' : `${grouped(rows)} rows in ${durationSeconds.toFixed(1)} s`
    this.#stdout.write(`Caught up with ledger ${grouped(ledger)}: ${work}.\n`)
  }

  /** Requests that work, about accounts that the data itself named. */
  invite(url: string, apiKey: string, stories: readonly Story[]): void {
    if (this.#json || stories.length === 0) return
    const lines = stories.map(({ about, path }) => `# ${about}\ncurl -s -H 'x-service-api-key: ${apiKey}' '${url}${path}'`)
    this.#stdout.write(`Try these:\n\n${lines.join('\n')}\n\nCtrl-C stops it. The next start goes on where this one ends.\n`)
  }

  stopping(): void {
    this.#stderr.write('\nStopping: what is folded is being stored. A second Ctrl-C leaves at once; nothing is lost either way.\n')
  }

  stopped(): void {
    this.#stderr.write('Stopped. The next start goes on from here.\n')
  }

  #line(value: object): void {
    this.#stdout.write(`${JSON.stringify(value)}\n`)
  }
}
