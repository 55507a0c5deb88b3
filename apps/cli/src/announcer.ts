// The output of `orrery up`: results on stdout, as JSON lines or as text; progress and warnings on stderr, always as text.
// The text names the files with secrets and prints none, because terminals, journals and container logs store their input. The exceptions are
// the key of the demo, whose data is public, at the start that creates it, and on a terminal the one-time code of its explorer. JSON lines are an interface for programs and contain all secrets.

import type { Embedded } from '@orrery/identity'
import type { DemoRequest } from './demo-requests.ts'
import { grouped } from './progress.ts'

export interface Ready {
  readonly url: string
  readonly internalUrl: string
  /** With the analyst's name and password in it; null when analysts are not served. */
  readonly clickhouseUrl: string | null
  /** Why analysts are not served; null when they are. */
  readonly clickhouseRefusal: string | null
  readonly secrets: Embedded
  /** Absolute. */
  readonly folder: string
  /** The recorded network that ships with Orrery is served. */
  readonly isDemo: boolean
  /** One-time code of the explorer. Null: none was made. */
  readonly code: string | null
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

  ready({ url, internalUrl, clickhouseUrl, clickhouseRefusal, secrets, folder, isDemo, code }: Ready): void {
    const { apiKey, apiKeyFile, isFirstStart, adminToken, organization, userEmail, userPasswordFile } = secrets
    if (this.#json) {
      this.#line({
        event: 'ready',
        url,
        internalUrl,
        clickhouseUrl,
        clickhouseRefusal,
        apiKey,
        apiKeyFile,
        adminToken,
        organization,
        userEmail,
        userPasswordFile,
      })
      return
    }
    this.#stdout.write(`
Orrery is up. It answers while it indexes.

  Explorer    ${url}/explore${code === null ? '' : `#code=${code}   (opens with a key, once and within 10 minutes)`}
  API         ${url}/v1   (pages: ${url}/docs)
  Key         ${isDemo && isFirstStart ? `${apiKey}   (kept in ${apiKeyFile})` : `in ${apiKeyFile}`}
  ClickHouse  ${clickhouseUrl === null ? `not open to analysts: ${clickhouseRefusal}` : `${withoutPassword(clickhouseUrl)}   (database orrery)`}
  Probes      ${internalUrl}/readyz   ${internalUrl}/metrics
  Secrets     npx orrery secrets --data ${quoted(folder)}   (users and passwords, the admin token)

`)
  }

  caughtUp({ ledger, firstLedger, rows, durationSeconds }: CaughtUp): void {
    if (this.#json) {
      this.#line({ event: 'caught_up', ledger, firstLedger, rows, durationSeconds: Number(durationSeconds.toFixed(3)) })
      return
    }
    const work = rows === 0 ? 'nothing was left to index' : `${grouped(rows)} rows in ${durationSeconds.toFixed(1)} s`
    this.#stdout.write(`Caught up with ledger ${grouped(ledger)}: ${work}.\n`)
  }

  /** Prints example requests about accounts of the index. The shell reads the key from its file. */
  invite(url: string, apiKeyFile: string, requests: readonly DemoRequest[]): void {
    if (this.#json || requests.length === 0) return
    const key = `"x-service-api-key: $(cat ${quoted(apiKeyFile)})"`
    const lines = requests.map(({ about, path }) => `# ${about}\ncurl -s -H ${key} '${url}${path}'`)
    this.#stdout.write(`Try these:\n\n${lines.join('\n')}\n\nCtrl-C stops it. The next start continues where this one ends.\n`)
  }

  /** @param code Of the failure that ended the system. @param restarts Since the process began, with this one. */
  restarting(code: string, restarts: number): void {
    this.#stderr.write(
      `The embedded ClickHouse engine ended or stopped answering (${code}). Written data is safe. Restarting (${restarts})\n`,
    )
  }

  /** The addresses, keys and passwords of `ready` stay valid. */
  restarted(restarts: number): void {
    if (this.#json) this.#line({ event: 'engine_restarted', restarts })
    this.#stderr.write('Restarted: the addresses and keys are the same, and indexing continues from the last checkpoint.\n')
  }

  stopping(): void {
    this.#stderr.write('\nStopping: storing the rows that are already folded. A second Ctrl-C ends at once; nothing is lost either way.\n')
  }

  stopped(): void {
    this.#stderr.write('Stopped. The next start continues from here.\n')
  }

  #line(value: object): void {
    this.#stdout.write(`${JSON.stringify(value)}\n`)
  }
}

/** As one word of a POSIX shell, also between the quotation marks of "$(…)". */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

function withoutPassword(address: string): string {
  const url = new URL(address)
  url.username = ''
  url.password = ''
  return url.href.replace(/\/$/, '')
}
