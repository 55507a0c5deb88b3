import { z } from 'zod'
import { refuse } from '../errors.ts'
import { Timestamp } from '../present/timestamp.ts'
import { defineManagementRoute } from './management-route.ts'
import { ExpiresAt, Name, Scopes, Slug } from './members.ts'
import { timeOrNull } from './time.ts'

const Body = z.strictObject({
  organization_name: Name,
  organization_slug: Slug.describe('If an organization with this slug exists, it is used and its name does not change.'),
  key_name: Name,
  scopes: Scopes.default(['data:read']),
  expires_at: ExpiresAt.nullable().default(null).describe('Time from which the key is refused. Null or absent: the key does not expire.'),
})

const Result = z
  .strictObject({
    organization_id: z.string().describe('Id of the organization.'),
    organization_slug: z.string().describe('Slug of the organization.'),
    organization_reused: z.boolean().describe('True if the organization already existed.'),
    api_key_id: z.string().describe('Id of the key.'),
    key_prefix: z.string().describe('The first characters of the key: `ory_` and 8 characters.'),
    scopes: z.array(z.string()).describe('What the key permits.'),
    key: z.string().describe('The whole key. It is shown only in this answer.'),
    expires_at: Timestamp.nullable().describe('Time from which the key is refused: RFC 3339, UTC. Null if it does not expire.'),
  })
  .meta({ id: 'CreatedApiKey' })

/** Creates an API key for an organization. Creates the organization if none has this slug. */
export const createApiKey = defineManagementRoute({
  operationId: 'createApiKey',
  method: 'post',
  path: '/v1/org/api-keys',
  summary: 'Create an API key, and its organization if it is new',
  description:
    'For the operator. The key is shown only once, because only its hash is stored. If it is lost, revoke it and create another one.',
  tagName: 'Organization',
  credential: 'admin-token',
  params: z.strictObject({}),
  body: Body,
  status: 201,
  result: Result,
  async handle({ body }, { access, actor, clock }) {
    if (body.expires_at !== null && body.expires_at <= clock.nowMs())
      throw refuse('invalid_body', '`expires_at` is in the past. Give a time in the future, or null.')
    const { organization, reused } = await access.identity.addOrganization(
      { slug: body.organization_slug, name: body.organization_name, plan: 'free' },
      actor,
    )
    const { key, record } = await access.identity.addApiKey(
      { organizationId: organization.id, name: body.key_name, scopes: body.scopes, expiresAtMs: body.expires_at },
      actor,
    )
    return {
      organization_id: organization.id,
      organization_slug: organization.slug,
      organization_reused: reused,
      api_key_id: record.id,
      key_prefix: record.prefix,
      scopes: [...record.scopes],
      key,
      expires_at: timeOrNull(record.expiresAtMs),
    }
  },
})
