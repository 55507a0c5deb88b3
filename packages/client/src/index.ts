export { createClient, type OrreryClient } from './client.ts'
export { compareDecimals, fromRaw, sumDecimals, toRaw } from './decimal.ts'
export {
  ApiError,
  type ApiErrorCode,
  type ApiErrorFacts,
  ConnectionError,
  type ErrorCode,
  isApiError,
  OrreryError,
} from './errors.ts'
export type * from './generated/openapi.ts'
export type { OpenApiDocument } from './http.ts'
export type { ClientOptions, RequestOptions, Secret } from './options.ts'
export { type PageOf, Pages } from './pages.ts'
export type { Query } from './query.ts'
export type { RateLimit } from './rate-limit.ts'
export type { QueryName } from './resources/queries.ts'
export type { StreamEvent, StreamOptions, StreamQuery } from './stream.ts'
export type { BodyOf, QueryOf } from './types.ts'
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookProblem,
  WebhookVerificationError,
} from './webhook.ts'
