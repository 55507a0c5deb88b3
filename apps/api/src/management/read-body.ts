// The body of a management request: JSON (415), of at most 64 KiB (413), an object with the members that the route has and no other (400).

import { koaBody } from 'koa-body'
import type { z } from 'zod'
import { refuse } from '../errors.ts'
import type { ApiContext } from '../middleware/request-state.ts'

const LIMIT_BYTES = 64 * 1024
/** RFC 8259 knows no other encoding; a charset that says so is fine. */
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

const parse = koaBody({
  json: true,
  urlencoded: false,
  text: false,
  multipart: false,
  jsonLimit: LIMIT_BYTES,
  patchNode: false,
  patchKoa: true,
})

/** Nothing was thrown yet for what is not JSON: parameters come before. */
export type ReceivedBody = { readonly value: unknown } | { readonly problem: string }

/** @throws 415, 413. */
export async function receiveBody(ctx: ApiContext): Promise<ReceivedBody> {
  if (!JSON_TYPE.test(ctx.get('content-type').trim())) {
    throw refuse('unsupported_media_type', 'The body must be JSON. Send it with `content-type: application/json`.')
  }
  try {
    await parse(ctx, async () => undefined)
  } catch (error) {
    // What the parser throws quotes the body, which may hold a password: only its status is taken.
    const status = error instanceof Error && 'status' in error ? error.status : 400
    if (status === 413) throw refuse('payload_too_large', `The body is larger than ${LIMIT_BYTES} bytes. Send less.`)
    if (status === 415)
      throw refuse('unsupported_media_type', 'The body is encoded in a way that is not read here. Send it plain, or as gzip.')
    return { problem: 'The body is not a JSON object. Send one.' }
  }
  return { value: ctx.request.body ?? {} }
}

/** The members of a body. Throws the first problem: unknown names in the order of the body, then values in the order of the schema. */
export function readMembers<Body extends z.ZodObject>(schema: Body, received: ReceivedBody): z.output<Body> {
  if ('problem' in received) throw refuse('invalid_body', received.problem)
  const { value } = received
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('invalid_body', 'The body is not a JSON object. Send one.')
  const given = new Map<string, unknown>(Object.entries(value))
  const known = Object.keys(schema.shape)
  for (const name of given.keys()) {
    if (known.includes(name)) continue
    const takes = known.map((member) => `\`${member}\``).join(', ')
    throw refuse('invalid_body', `\`${name.slice(0, 64)}\` is not a member of this request. It takes ${takes}.`)
  }
  const read = known.map((name) => {
    const result = (schema.shape[name] as z.ZodType).safeParse(given.get(name))
    if (result.success) return [name, result.data]
    const rule = given.has(name) ? (result.error.issues[0]?.message ?? 'is not valid.') : 'is required.'
    throw refuse('invalid_body', `\`${name}\` ${rule}`)
  })
  return Object.fromEntries(read.filter(([, member]) => member !== undefined)) as z.output<Body>
}
