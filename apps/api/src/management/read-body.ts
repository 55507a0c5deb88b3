// The body of a management request: JSON (415), at most 64 KiB (413), an object with only the members of the route, each once (400).

import { createBrotliDecompress, createUnzip } from 'node:zlib'
import getRawBody from 'raw-body'
import type { z } from 'zod'
import { refuse } from '../errors.ts'
import type { ApiContext } from '../middleware/request-state.ts'
import { duplicateMember } from './duplicate-member.ts'

const LIMIT_BYTES = 64 * 1024
/** RFC 8259 permits UTF-8 only; a charset parameter that names it is accepted. */
const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i
/** By `content-encoding`. */
const UNPACKERS = { gzip: createUnzip, deflate: createUnzip, br: createBrotliDecompress } as const
const NOT_AN_OBJECT = 'The body is not a JSON object. Send one.'

/** A body that is not JSON is not refused yet, because parameters are checked first. */
export type ReceivedBody = { readonly value: unknown } | { readonly problem: string }

/** @throws 415, 413. */
export async function receiveBody(ctx: ApiContext): Promise<ReceivedBody> {
  if (!JSON_TYPE.test(ctx.get('content-type').trim())) {
    throw refuse('unsupported_media_type', 'The body must be JSON. Send it with `content-type: application/json`.')
  }
  const bytes = await bytesOf(ctx)
  if (bytes === null) return { problem: NOT_AN_OBJECT }
  const text = new TextDecoder().decode(bytes)
  if (text === '') return { value: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message quotes the body, which may contain a password.
    return { problem: NOT_AN_OBJECT }
  }
  const twice = duplicateMember(text)
  return twice === null ? { value } : { problem: `\`${twice.slice(0, 64)}\` is named twice. Name each member once.` }
}

/** Decompressed, at most `LIMIT_BYTES`; null if the body cannot be decompressed or is incomplete. @throws 415, 413. */
async function bytesOf({ req }: ApiContext): Promise<Buffer | null> {
  const encoding = req.headers['content-encoding'] ?? 'identity'
  const isPlain = encoding === 'identity'
  if (!isPlain && !Object.hasOwn(UNPACKERS, encoding)) {
    throw refuse(
      'unsupported_media_type',
      'The content encoding of the body is not supported. Send it without encoding, or as gzip, deflate or br.',
    )
  }
  const unpacker = isPlain ? null : UNPACKERS[encoding as keyof typeof UNPACKERS]()
  const length = isPlain ? req.headers['content-length'] : undefined
  try {
    return await getRawBody(unpacker === null ? req : req.pipe(unpacker), { limit: LIMIT_BYTES, ...(length !== undefined && { length }) })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'type' in error && error.type === 'entity.too.large'
    if (isTooLarge) throw refuse('payload_too_large', `The body is larger than ${LIMIT_BYTES} bytes. Send a smaller one.`)
    return null
  } finally {
    if (unpacker !== null) {
      req.unpipe(unpacker)
      unpacker.destroy()
    }
  }
}

/** The members of a body. Throws the first problem: unknown names in the order of the body, then values in the order of the schema. */
export function readMembers<Body extends z.ZodObject>(schema: Body, received: ReceivedBody): z.output<Body> {
  if ('problem' in received) throw refuse('invalid_body', received.problem)
  const { value } = received
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('invalid_body', NOT_AN_OBJECT)
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
