// What `orrery up` says: results on stdout, as JSON lines or for eyes; talk on stderr, for eyes always.
// For eyes no secret is printed, because terminals, journals and container logs keep what they are shown: the files that hold it are named. The
// one exception is the key of the demo, whose data is public, at the start that makes it. JSON lines are an interface and hold them all.

import type { Embedded } from '@orrery/identity'
import { grouped } from './progress.ts'
import type { Story } from './story.ts'

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

  ready({ url, internalUrl, clickhouseUrl, clickhouseRefusal, secrets, folder, isDemo }: Ready): void {
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

  /** Requests that work, about accounts that the data itself named. The shell reads the key from its file. */
  invite(url: string, apiKeyFile: string, stories: readonly Story[]): void {
    if (this.#json || stories.length === 0) return
    const key = `"x-service-api-key: $(cat ${quoted(apiKeyFile)})"`
    const lines = stories.map(({ about, path }) => `# ${about}\ncurl -s -H ${key} '${url}${path}'`)
    this.#stdout.write(`Try these:\n\n${lines.join('\n')}\n\nCtrl-C stops it. The next start goes on where this one ends.\n`)
  }

  /** @param code Of the failure that ended the system. @param restarts Since the process began, with this one. */
  restarting(code: string, restarts: number): void {
    this.#stderr.write(
      `The embedded ClickHouse engine does not run any more, or not as it should (${code}). What was written is safe. Restarting (${restarts})\n`,
    )
  }

  /** The addresses, keys and passwords of `ready` hold. */
  restarted(restarts: number): void {
    if (this.#json) this.#line({ event: 'engine_restarted', restarts })
    this.#stderr.write('Restarted: the addresses and keys are the same, and indexing goes on from the last checkpoint.\n')
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
