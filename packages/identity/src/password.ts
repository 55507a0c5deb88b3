// Passwords: argon2id with OWASP's first choice of parameters, stored as a PHC string, so that parameters can be raised later.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet, argon2id). */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Long enough that guessing at argon2id's pace is hopeless, short enough to bound the work of one hash. In code points. */
const LEAST = 12
const MOST = 256

/** U+FFFD and half of a surrogate pair replace lost letters: another password with the same losses would be accepted, and the right one refused. */
export function isPassword(text: string): boolean {
  const length = [...text].length
  return length >= LEAST && length <= MOST && text.isWellFormed() && !text.includes('\ufffd')
}

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...COST, message: normal(password), nonce })
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

/** False also when `stored` is null, after the same work: time does not reveal whether an account exists. */
export async function matchesPassword(stored: string | null, password: string): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = PHC.exec(stored ?? '') ?? []
  if (memory === undefined || passes === undefined || parallelism === undefined || nonce === undefined || tag === undefined) {
    await hashPassword(password)
    return false
  }
  const expected = Buffer.from(tag, 'base64')
  const actual = await derive('argon2id', {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
    message: normal(password),
    nonce: Buffer.from(nonce, 'base64'),
  })
  return timingSafeEqual(expected, actual)
}

/** One way to write what looks the same: keyboards differ in how they make an ä (NIST SP 800-63B asks for it). */
function normal(password: string): string {
  return password.normalize('NFKC')
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
