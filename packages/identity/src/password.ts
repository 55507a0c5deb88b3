// Passwords: argon2id with OWASP's first choice of parameters, stored as a PHC string, so that parameters can be raised later.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/** 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet, argon2id). */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { ...COST, message: password, nonce })
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
}

/** False also when `stored` is null, after the same work: time does not tell whether an account exists. */
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
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
  })
  return timingSafeEqual(expected, actual)
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '')
}
