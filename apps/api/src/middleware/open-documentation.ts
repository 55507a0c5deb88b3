// `/` in a browser leads to the documentation. For every other client there is no endpoint at this path.

import { refuseUnknownPath } from '../router.ts'
import type { ApiMiddleware } from './request-state.ts'

export const openDocumentation: ApiMiddleware = (ctx) => {
  ctx.vary('accept')
  // A client that takes anything is no browser: it gets JSON, as everywhere.
  if (ctx.accepts('json', 'html') !== 'html') throw refuseUnknownPath()
  ctx.redirect('/docs')
}
