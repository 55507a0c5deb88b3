export type { Redis } from 'ioredis'
export { type AccessBus, type AccessChange, redisBus, silentBus } from './access-bus.ts'
export { type ApiKeyAuthenticator, openApiKeyAuthenticator } from './api-key-authenticator.ts'
export { type Embedded, openEmbedded, readEmbedded } from './embedded.ts'
export { type FailedLoginLog, openFailedLoginLog } from './failed-login-log.ts'
export {
  FAILURE_WINDOW_SECONDS,
  FAILURES_OF_ADDRESS,
  type Failure,
  type FailureLimiter,
  failureLimiter,
  type Throttle,
  throttle,
  type Wait,
} from './failure-limiter.ts'
export type {
  Actor,
  ApiKeyRecord,
  Billing,
  BillingChange,
  Caller,
  DayUsage,
  Identity,
  Organization,
  ProvenUser,
  Session,
  User,
} from './identity.ts'
export { type LoginAttempt, type LoginLimiter, loginLimiter } from './login-limiter.ts'
export { openIdentity } from './open.ts'
export { PLANS, type Plan, STREAMS_AT_ONCE, WEBHOOKS_OF_ORGANIZATION } from './plans.ts'
export { type Allowance, type RateLimiter, rateLimiter, type Taken, WINDOW_SECONDS } from './rate-limiter.ts'
export { openRedis } from './redis.ts'
export { SCOPES, type Scope } from './scopes.ts'
export { backUpSqlite } from './store/back-up-sqlite.ts'
export { type CopiedTable, copyIdentity } from './store/copy-identity.ts'
export { emailAddress, plainText, SLUG } from './text-rules.ts'
export { keptTokenKeys, readTokenKeys, type TokenKeys } from './token-keys.ts'
export { ACCESS_SECONDS, openTokens, REFRESH_SECONDS, type Tokens } from './tokens.ts'
export { openUsageRecorder, type UsageOf, type UsageRecorder } from './usage-recorder.ts'
export {
  type AttemptResult,
  DELIVERY_STATUSES,
  type Delivery,
  type DisabledReason,
  type DueDelivery,
  type LeasedWebhook,
  type NewDelivery,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookChange,
  type WebhookFilter,
  type WebhookStore,
} from './webhooks/webhook.ts'
export { keptWebhookKey, makeWebhookSecret, openWebhookSecret, sealWebhookSecret, WEBHOOK_KEY_FILE } from './webhooks/webhook-secret.ts'
export { isPublicAddress, webhookUrlProblem } from './webhooks/webhook-url.ts'
export { insuredCounter, memoryCounter, redisCounter } from './window-counter.ts'
