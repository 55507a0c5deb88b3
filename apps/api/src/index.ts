export { type Access, type AccessOptions, openAccess } from './access.ts'
export { runApi } from './main.ts'
export type { RunningApi } from './serve.ts'
export { type ApiOptions, startApi } from './start-api.ts'
