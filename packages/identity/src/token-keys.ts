// The keys that sign tokens: a PEM file as `openssl genpkey -algorithm ed25519` writes it. The first private key signs; every key in the file,
// public ones too, is used to verify, so that keys can be rotated while tokens of the old one are valid.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OrreryError } from '@orrery/errors'
import { calculateJwkThumbprint } from 'jose'
import { keptFile } from './kept-file.ts'

export interface TokenKeys {
  /** Name of the signing key in the headers of tokens: its RFC 7638 thumbprint, so no name has to be chosen. */
  readonly kid: string
  readonly signing: KeyObject
  /** Public keys by their thumbprint. */
  readonly checking: ReadonlyMap<string, KeyObject>
}

const BLOCK = /-----BEGIN (PRIVATE|PUBLIC) KEY-----[^-]+-----END \1 KEY-----/g

/** Keys of a file that the first start makes, mode 0600. Errors: `invalid`/`token_keys_unusable`. */
export async function keptTokenKeys(file: string): Promise<TokenKeys> {
  await mkdir(dirname(file), { recursive: true })
  return tokenKeysOf(await keptFile(file, newKey), file)
}

/** Keys of a file that is there. Errors: `invalid`/`token_keys_unusable`. */
export async function readTokenKeys(file: string): Promise<TokenKeys> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unusable(file, 'it cannot be read', cause)
  })
  return tokenKeysOf(text, file)
}

async function tokenKeysOf(pem: string, file: string): Promise<TokenKeys> {
  let signing: { readonly kid: string; readonly key: KeyObject } | undefined
  const checking = new Map<string, KeyObject>()
  for (const [block, kind] of pem.matchAll(BLOCK)) {
    const key = keyOf(block, kind === 'PRIVATE', file)
    if (key.asymmetricKeyType !== 'ed25519') throw unusable(file, `it holds a key of the kind ${key.asymmetricKeyType}`)
    const open = key.type === 'private' ? createPublicKey(key) : key
    const kid = await calculateJwkThumbprint(open.export({ format: 'jwk' }))
    checking.set(kid, open)
    if (key.type === 'private') signing ??= { kid, key }
  }
  if (signing === undefined) throw unusable(file, 'it holds no private key')
  return { kid: signing.kid, signing: signing.key, checking }
}

function keyOf(pem: string, isPrivate: boolean, file: string): KeyObject {
  try {
    return isPrivate ? createPrivateKey(pem) : createPublicKey(pem)
  } catch {
    // Without the cause: it may quote what it could not read.
    throw unusable(file, 'one of its keys cannot be read')
  }
}

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}

function unusable(file: string, why: string, cause?: unknown): OrreryError {
  const message = `The keys that sign tokens in ${file} cannot be used: ${why}. Nothing was started, and no login was lost.\nPut Ed25519 keys in PEM there; \`openssl genpkey -algorithm ed25519\` makes one.`
  return new OrreryError('invalid', 'token_keys_unusable', message, { cause, context: { file } })
}
