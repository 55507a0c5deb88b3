import { z } from 'zod'
import { ApiKeyItem, apiKeyItem } from './api-key-item.ts'
import { defineManagementRoute } from './management-route.ts'
import { organizationIdOf } from './organization-id.ts'

/** The keys of the caller's organization, oldest first. */
export const listApiKeys = defineManagementRoute({
  operationId: 'listApiKeys',
  method: 'get',
  path: '/v1/org/api-keys',
  summary: 'API keys of your organization',
  description: 'Oldest first, revoked and expired ones included.',
  tagName: 'Organization',
  credential: 'bearer',
  params: z.strictObject({}),
  body: null,
  status: 200,
  result: z.array(ApiKeyItem),
  async handle(_, context) {
    // Uses that this instance has not written yet belong in the list.
    await context.access.authenticator.writeUses()
    return (await context.access.identity.apiKeys(organizationIdOf(context))).map(apiKeyItem)
  },
})
