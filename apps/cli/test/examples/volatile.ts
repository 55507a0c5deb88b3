// Members of answers that differ between two runs of the demo, and what the examples show instead.

interface Volatile {
  /** Names from the body down; `*` is any element or name. */
  readonly path: string
  readonly shown: unknown
  /** Operations whose answers have the member. Default: all. */
  readonly operations?: readonly string[]
}

const HEALTH = ['getHealth', 'getIndex', 'listProtocols']
const ORGANIZATION_ID = '0b8e5d7c-3f5a-4c1e-9a52-6d1f0c7b2e94'

export const VOLATILE: readonly Volatile[] = [
  // Of the clock and the machine.
  { path: 'meta.response_time_ms', shown: 12 },
  { path: 'meta.data_staleness_seconds', shown: 5 },
  { path: 'data.adapters.*.last_sync_at', shown: '2026-10-15T20:35:43Z', operations: HEALTH },
  { path: 'data.adapters.*.adapter.last_sync_at', shown: '2026-10-15T20:35:43Z', operations: HEALTH },
  { path: 'data.protocols.*.adapter.last_sync_at', shown: '2026-10-15T20:35:43Z', operations: HEALTH },
  // Signed with a key that each data folder has of its own.
  { path: 'data.next_cursor', shown: 'AQAPWxQAAAYAAAAAAgIAAAEAD1u_7OzbP0iCa6bfqFUzgywBxw' },
  { path: 'data.build', shown: { commit: null, node: '24.21.0' }, operations: ['getService'] },
  // Ids, keys and tokens are random; a limit and the use of it are those of the run.
  { path: 'organization_id', shown: ORGANIZATION_ID, operations: ['createApiKey', 'getOrganization'] },
  { path: 'api_key_id', shown: 'API_KEY_ID', operations: ['createApiKey'] },
  { path: 'key_prefix', shown: 'ory_W9aGzEw3', operations: ['createApiKey'] },
  { path: 'key', shown: 'ory_W9aGzEw3_YOUR_NEW_KEY', operations: ['createApiKey'] },
  { path: '*.id', shown: 'API_KEY_ID', operations: ['listApiKeys'] },
  { path: '*.prefix', shown: 'ory_W9aGzEw3', operations: ['listApiKeys'] },
  { path: '*.created_at', shown: '2026-10-15T20:00:00Z', operations: ['listApiKeys'] },
  { path: '*.last_used_at', shown: '2026-10-15T20:35:00Z', operations: ['listApiKeys'] },
  { path: 'created_at', shown: '2026-10-15T20:00:00Z', operations: ['getOrganization'] },
  { path: 'rate_limit.requests', shown: 12_000, operations: ['getOrganization'] },
  {
    path: 'usage',
    shown: {
      window: { used: 7, limit: 12_000, resets_in_seconds: 42 },
      today: { requests: 318, cost: 402 },
      by_key: [{ id: 'API_KEY_ID', prefix: 'ory_W9aGzEw3', requests_today: 311 }],
    },
    operations: ['getOrganization'],
  },
  { path: 'updated_at', shown: '2026-10-15T20:35:42Z', operations: ['changeBilling'] },
  { path: 'access_token', shown: 'ACCESS_TOKEN', operations: ['logIn', 'refreshAccess'] },
  { path: 'refresh_token', shown: 'REFRESH_TOKEN', operations: ['logIn'] },
]

/** The answer as an example shows it. A member that is absent or null stays so. */
export function asShown(operation: string, body: unknown): unknown {
  const own = VOLATILE.filter(({ operations }) => operations === undefined || operations.includes(operation))
  return own.reduce((shown, { path, shown: value }) => replaced(shown, path.split('.'), value), body)
}

function replaced(value: unknown, [name, ...rest]: readonly string[], shown: unknown): unknown {
  if (value === null || value === undefined) return value
  if (name === undefined) return shown
  if (typeof value !== 'object') return value
  const inner = (key: string, member: unknown) => (name === '*' || key === name ? replaced(member, rest, shown) : member)
  if (Array.isArray(value)) return value.map((member, n) => inner(String(n), member))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inner(key, member)]))
}
