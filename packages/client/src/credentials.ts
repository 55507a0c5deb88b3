// Which credential a request takes: data an API key, the organization an access token, the creation of keys the admin token.

import type { ClientOptions, Secret } from './options.ts'

export type CredentialKind = 'apiKey' | 'accessToken' | 'adminToken' | 'none'

/** By method and path, as the OpenAPI document declares it. The document itself needs none. */
export function credentialOf(method: string, path: string): CredentialKind {
  if (path === '/v1/org/api-keys' && method === 'POST') return 'adminToken'
  if (path === '/v1/org' || path.startsWith('/v1/org/')) return 'accessToken'
  return path === '/v1' || path === '/openapi.json' || path.startsWith('/v1/auth/') ? 'none' : 'apiKey'
}

/** Adds the header of the credential, unless the request has it or the client has no such credential. */
export async function addCredential(headers: Headers, kind: CredentialKind, options: ClientOptions): Promise<void> {
  if (kind === 'none') return
  const value = await resolve(options[kind])
  const [name, text] =
    kind === 'apiKey'
      ? ['x-service-api-key', value]
      : kind === 'adminToken'
        ? ['x-service-admin-token', value]
        : ['authorization', value === undefined ? undefined : `Bearer ${value}`]
  if (text !== undefined && !headers.has(name)) headers.set(name, text)
}

function resolve(secret: Secret | undefined): string | Promise<string> | undefined {
  return typeof secret === 'function' ? secret() : secret
}
