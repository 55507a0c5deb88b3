import { z } from 'zod'
import { refuse } from '../errors.ts'
import { defineManagementRoute } from './management-route.ts'
import { organizationIdOf } from './organization-id.ts'

/** Revokes a key permanently: on this instance at once, on other instances within five seconds. */
export const revokeApiKey = defineManagementRoute({
  operationId: 'revokeApiKey',
  method: 'delete',
  path: '/v1/org/api-keys/:id',
  summary: 'Revoke an API key of your organization',
  description:
    'Every later request with the key is refused. Other instances refuse it within five seconds. Revoking a key again has no effect.',
  tagName: 'Organization',
  credential: 'bearer',
  params: z.strictObject({ id: z.string().describe('`id` of the key in `GET /v1/org/api-keys`.') }),
  body: null,
  status: 204,
  result: null,
  async handle({ params }, context) {
    const { access, actor } = context
    const record = await access.identity.revokeApiKey(organizationIdOf(context), params.id, actor)
    if (record === null) throw refuse('not_found', 'Your organization has no API key with this id. `GET /v1/org/api-keys` lists its keys.')
    await access.authenticator.changed({ prefix: record.prefix })
    return null
  },
})
