// Notes every secret that goes over the wire in a test, and finds those that were written into a log.

import type { Asked } from './http-ask.ts'

/** Headers that hold a credential, and members of bodies that do, both ways. */
const HEADERS = ['x-service-api-key', 'x-service-admin-token', 'authorization']
const MEMBERS = ['password', 'refresh_token', 'access_token', 'key']
/** A shorter one is no secret but a test's word for a wrong one: `wrong` stands in many a sentence. */
const SHORTEST = 12

export interface SecretWatch {
  note(...secrets: readonly string[]): void
  /** What `asked` and the body of its answer hold. */
  noteExchange(asked: Asked, answer: string): void
  /** Throws when a line holds a secret. */
  check(lines: readonly string[]): void
}

export function secretWatch(): SecretWatch {
  const secrets = new Set<string>()
  const note = (...texts: readonly string[]) => {
    for (const text of texts) if (text.length >= SHORTEST) secrets.add(text)
  }
  return {
    note,
    noteExchange({ headers = {}, body }, answer) {
      note(...HEADERS.map((name) => (headers[name] ?? '').replace(/^Bearer /i, '')))
      note(...secretMembers(String(body ?? '')), ...secretMembers(answer))
    },
    check(lines) {
      for (const secret of secrets) {
        const line = lines.find((text) => text.includes(secret))
        if (line !== undefined) throw new Error(`A secret was logged: ${line.replaceAll(secret, '<the secret>')}`)
      }
    },
  }
}

function secretMembers(json: string): string[] {
  return MEMBERS.flatMap((name) => [...json.matchAll(new RegExp(`"${name}":\\s*("(?:[^"\\\\]|\\\\.)*")`, 'g'))]).map(([, text = '""']) =>
    String(JSON.parse(text)),
  )
}
