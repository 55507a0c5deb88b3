export { mcpEnv } from './env.ts'
export { type HttpOptions, serveHttp } from './http/serve-http.ts'
export { isLoopback } from './loopback.ts'
export { type StdioOptions, serveStdio } from './serve-stdio.ts'
