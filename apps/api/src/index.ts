export { type Access, type AccessOptions, openAccess } from './access.ts'
export { proxyList } from './client-address.ts'
export { EXAMPLES, type Example, exampleFolder, exampleTarget } from './examples/example.ts'
export { runApi } from './main.ts'
export { testPayload } from './management/webhooks/test-webhook.ts'
export { webhookEventsOf } from './management/webhooks/webhook-item.ts'
export {
  changedFilter,
  type FilterMembers,
  filterProblem,
  NO_WEBHOOK_FILTER,
  webhookMembers,
} from './management/webhooks/webhook-members.ts'
export type { RunningApi } from './serve.ts'
export { type CodeOffer, isLoopback } from './sign-in/exchange-code.ts'
export { OneTimeCode } from './sign-in/one-time-code.ts'
export { SLOW_STATEMENT_MS, slowStatements } from './slow-statements.ts'
export { type ApiOptions, startApi } from './start-api.ts'
