// Members of answers that differ between two runs of the demo, and what the examples show instead.

interface Volatile {
  /** Names from the body down; `*` is any element or name. */
  readonly path: string
  readonly shown: unknown
  /** Shown also where the answer has null. */
  readonly always?: true
  /** Operations whose answers have the member. Default: all. */
  readonly operations?: readonly string[]
}

const HEALTH = ['getHealth', 'getIndex', 'listProtocols']
const ORGANIZATION_ID = '0b8e5d7c-3f5a-4c1e-9a52-6d1f0c7b2e94'

const NOW = '2026-10-15T20:35:42Z'
const OF_WEBHOOK = ['createWebhook', 'listWebhooks', 'getWebhook', 'changeWebhook']
const DELIVERY: readonly Volatile[] = [
  { path: 'id', shown: 'DELIVERY_ID', operations: ['testWebhook', 'redeliverWebhook'] },
  { path: 'webhook_id', shown: 'WEBHOOK_ID', operations: ['testWebhook', 'redeliverWebhook'] },
  { path: 'created_at', shown: NOW, operations: ['testWebhook', 'redeliverWebhook'] },
  { path: 'next_attempt_at', shown: NOW, operations: ['testWebhook', 'redeliverWebhook'] },
]
/** The demo has no new ledgers, so its webhook has no delivery but the test. */
const PENDING_DELIVERY = {
  id: 'msg_3b1f0c5e8a7d42960f4e1c2b5a9d8e77',
  webhook_id: 'WEBHOOK_ID',
  event: 'health_factor',
  event_id:
    '1006404/health_factor/blend/CCR2NKA6IUKF53JBUQLTJX6MNUE3AEHCBZLXHJR2IAUS2TTDGRUCRE64/GBV7SV5IPY26UHPSZFQFBUUIY2DA7YOEJPAWZZRYSTDZH7M67BM2MK6W',
  address: 'GBV7SV5IPY26UHPSZFQFBUUIY2DA7YOEJPAWZZRYSTDZH7M67BM2MK6W',
  ledger: 1_006_404,
  status: 'pending',
  attempts: 2,
  last_attempt_at: '2026-10-15T20:35:50Z',
  next_attempt_at: '2026-10-15T20:36:00Z',
  response_status: 503,
  error: 'the receiver answered 503',
  created_at: NOW,
}

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
  // The demo may have attempted the test by then.
  ...(['attempts', 'last_attempt_at', 'response_status', 'error'] as const).map((path) => ({
    ...{ path, shown: path === 'attempts' ? 0 : null, always: true as const, operations: ['testWebhook', 'redeliverWebhook'] },
  })),
  ...DELIVERY,
  ...['', '*.'].flatMap((of) => [
    { path: `${of}id`, shown: 'WEBHOOK_ID', operations: OF_WEBHOOK },
    { path: `${of}last_ledger`, shown: null, always: true as const, operations: OF_WEBHOOK },
    { path: `${of}created_at`, shown: NOW, operations: OF_WEBHOOK },
    { path: `${of}updated_at`, shown: NOW, operations: OF_WEBHOOK },
    { path: `${of}previous_secret_valid_until`, shown: '2026-10-16T20:35:42Z', operations: [...OF_WEBHOOK, 'rotateWebhookSecret'] },
  ]),
  { path: 'secret', shown: 'whsec_YOUR_NEW_SECRET', operations: ['createWebhook', 'rotateWebhookSecret'] },
  { path: 'deliveries', shown: [PENDING_DELIVERY], operations: ['listWebhookDeliveries'] },
  { path: 'access_token', shown: 'ACCESS_TOKEN', operations: ['logIn', 'refreshAccess'] },
  { path: 'refresh_token', shown: 'REFRESH_TOKEN', operations: ['logIn'] },
]

/** The answer as an example shows it. A member that is absent or null stays so. */
export function asShown(operation: string, body: unknown): unknown {
  const own = VOLATILE.filter(({ operations }) => operations === undefined || operations.includes(operation))
  return own.reduce((shown, { path, shown: value, always = false }) => replaced(shown, path.split('.'), value, always), body)
}

function replaced(value: unknown, [name, ...rest]: readonly string[], shown: unknown, always: boolean): unknown {
  if (value === undefined || (value === null && !(always && name === undefined))) return value
  if (name === undefined || value === null) return shown
  if (typeof value !== 'object') return value
  const inner = (key: string, member: unknown) => (name === '*' || key === name ? replaced(member, rest, shown, always) : member)
  if (Array.isArray(value)) return value.map((member, n) => inner(String(n), member))
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inner(key, member)]))
}
