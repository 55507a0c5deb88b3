import { z } from 'zod'
import { refuse } from '../errors.ts'
import { defineManagementRoute } from './management-route.ts'
import { organizationIdOf } from './organization-id.ts'

/** Ends a key for good: here at once, on other instances at the latest five seconds later. */
export const revokeApiKey = defineManagementRoute({
  method: 'delete',
  path: '/v1/org/api-keys/:id',
  summary: 'Revoke an API key of your organization',
  description: 'Every later request with the key is refused. Revoking twice is fine.',
  tagName: 'Organization',
  credential: 'bearer',
  params: z.strictObject({ id: z.string().describe('`id` of a listing.') }),
  body: null,
  status: 204,
  result: null,
  async handle({ params }, context) {
    const { access, actor } = context
    const record = await access.identity.revokeApiKey(organizationIdOf(context), params.id, actor)
    if (record === null)
      throw refuse('not_found', 'Your organization has no API key with this id. `GET /v1/org/api-keys` lists what it has.')
    await access.authenticator.changed({ prefix: record.prefix })
    return null
  },
})
