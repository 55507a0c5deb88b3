// The management routes. Their answers are plain JSON without the envelope of data endpoints; errors have the same envelope everywhere.

import { changeBilling } from './change-billing.ts'
import { createApiKey } from './create-api-key.ts'
import { getOrganization } from './get-organization.ts'
import { listApiKeys } from './list-api-keys.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import type { ManagementRoute } from './management-route.ts'
import { refreshAccess } from './refresh-access.ts'
import { revokeApiKey } from './revoke-api-key.ts'
import { webhookRoutes } from './webhooks/index.ts'

export const managementRoutes: readonly ManagementRoute[] = [
  createApiKey,
  listApiKeys,
  revokeApiKey,
  getOrganization,
  changeBilling,
  ...webhookRoutes,
  logIn,
  refreshAccess,
  logOut,
]
