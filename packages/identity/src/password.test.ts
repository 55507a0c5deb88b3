import { expect, it } from 'vitest'
import { hashPassword, matchesPassword } from './password.ts'

// Made by the reference implementation: printf 'password' | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32 (test.c of phc-winner-argon2, version 0x13).
const REFERENCE = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'

it('agrees with the reference implementation of argon2id', async () => {
  expect(await matchesPassword(REFERENCE, 'password')).toBe(true)
  expect(await matchesPassword(REFERENCE, 'passwore')).toBe(false)
})

it('stores the same password differently each time', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).not.toBe(two)
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await matchesPassword(one, 'correct horse')).toBe(true)
})

it('refuses when nothing is stored', async () => {
  expect(await matchesPassword(null, 'anything at all')).toBe(false)
})
