import { z } from 'zod'
import { refuse } from '../errors.ts'
import { Timestamp } from '../present/timestamp.ts'
import { defineManagementRoute } from './management-route.ts'
import { ExpiresAt, Name, Scopes, Slug } from './members.ts'
import { timeOrNull } from './time.ts'

const Body = z.strictObject({
  organization_name: Name,
  organization_slug: Slug.describe('An existing organization is reused, and its name left as it is.'),
  key_name: Name,
  scopes: Scopes.default(['data:read']),
  expires_at: ExpiresAt.nullable().default(null).describe('Null or absent: the key does not expire.'),
})

const Result = z
  .strictObject({
    organization_id: z.string(),
    organization_slug: z.string(),
    organization_reused: z.boolean().describe('True when the slug already existed.'),
    api_key_id: z.string(),
    key_prefix: z.string(),
    scopes: z.array(z.string()),
    key: z.string().describe('The whole key. It is shown here and nowhere else.'),
    expires_at: Timestamp.nullable(),
  })
  .meta({ id: 'CreatedApiKey' })

/** An API key for an organization, which is made when there is none with this slug. */
export const createApiKey = defineManagementRoute({
  method: 'post',
  path: '/v1/org/api-keys',
  summary: 'Make an API key, and its organization when it is new',
  description: 'The operator’s. The key is told once: only its hash is stored. A lost key is revoked and another one made.',
  tagName: 'Organization',
  credential: 'admin-token',
  params: z.strictObject({}),
  body: Body,
  status: 201,
  result: Result,
  async handle({ body }, { access, actor, clock }) {
    if (body.expires_at !== null && body.expires_at <= clock.nowMs())
      throw refuse('invalid_body', '`expires_at` lies in the past. Give a time to come, or null.')
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
