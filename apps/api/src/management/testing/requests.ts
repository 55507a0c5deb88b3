// Requests that many tests of management make: create keys with the admin token, log users in, send their tokens.

import type { Asked } from '../../testing/http-ask.ts'
import { TEST_ADMIN_TOKEN, TESTER, type TestAnswer, type TestApi } from '../../testing/start-test-api.ts'

export const PASSWORD = 'correct horse battery'

export interface TokenPair {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}

export interface CreatedKey {
  readonly organization_id: string
  readonly organization_slug: string
  readonly organization_reused: boolean
  readonly api_key_id: string
  readonly key_prefix: string
  readonly scopes: readonly string[]
  readonly key: string
  readonly expires_at: string | null
}

/** A request without an API key. `json` is sent as the body, `bearer` as the credential. */
export function manage(
  api: TestApi,
  method: string,
  path: string,
  { json, bearer, headers = {}, body }: { readonly json?: unknown; readonly bearer?: string } & Omit<Asked, 'method'> = {},
): Promise<TestAnswer> {
  const credential: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const content: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' }
  const all = { 'x-service-api-key': '', ...credential, ...content, ...headers }
  return api.ask(path, { method, headers: all, body: json === undefined ? body : JSON.stringify(json) })
}

export const KEY_BODY = { organization_name: 'Acme', organization_slug: 'acme', key_name: 'ci' }

export const createKey = (api: TestApi, change: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> =>
  manage(api, 'POST', '/v1/org/api-keys', {
    json: { ...KEY_BODY, ...change },
    headers: { 'x-service-admin-token': TEST_ADMIN_TOKEN, ...headers },
  })

/** A key of the organization `slug`, created over HTTP. */
export async function keyOf(api: TestApi, slug: string): Promise<CreatedKey> {
  const answer = await createKey(api, { organization_slug: slug })
  if (answer.status !== 201) throw new Error(`The key could not be created: ${JSON.stringify(answer.json)}`)
  return answer.json as CreatedKey
}

/** `from`: the client address that a trusted proxy reports. */
export const logIn = (api: TestApi, email: string, password = PASSWORD, from?: string): Promise<TestAnswer> =>
  manage(api, 'POST', '/v1/auth/login', { json: { email, password }, headers: from === undefined ? {} : { 'x-forwarded-for': from } })

/** Adds a user to the organization `slug` and logs it in. */
export async function memberOf(api: TestApi, slug: string, email = `${slug}@example.org`): Promise<TokenPair & { readonly email: string }> {
  const { organization } = await api.identity.addOrganization({ slug, name: slug, plan: 'free' }, TESTER)
  await api.identity.addUser({ organizationId: organization.id, email, password: PASSWORD }, TESTER)
  const answer = await logIn(api, email)
  if (answer.status !== 200) throw new Error(`The login failed: ${JSON.stringify(answer.json)}`)
  return { ...(answer.json as TokenPair), email }
}
