// `metadata` of an activity: a schema for each type of activity of each protocol. `protocol` and `activity_type` of the activity decide
// which one it has; where there are several, `event` does.

import type { ActivityType } from '@orrery/protocol-kit'
import { z } from 'zod'
import type { JsonSchema } from '../../json-schema.ts'
import { AQUARIUS } from './aquarius.ts'
import { BLEND } from './blend.ts'
import { ALWAYS, DEBT_CHANGE, PATH } from './common.ts'
import { FXDAO } from './fxdao.ts'
import { SOROSWAP } from './soroswap.ts'

type ByType = Readonly<Partial<Record<ActivityType, readonly z.ZodObject[]>>>

/** By protocol. One without an entry has `OtherActivityMetadata`. */
const SCHEMAS: Readonly<Record<string, ByType>> = { aquarius: AQUARIUS, blend: BLEND, fxdao: FXDAO, soroswap: SOROSWAP }

const Other = z
  .strictObject({
    ...ALWAYS,
    event: z
      .string()
      .optional()
      .describe('Name of the event of the contract, or of the function. Absent if the protocol does not name it.'),
    path_step: PATH.path_step,
    ...DEBT_CHANGE,
  })
  .meta({ id: 'OtherActivityMetadata', description: 'Of protocols that are added later.' })

/** All schemas that `ACTIVITY_VARIANTS` refers to. */
export const ACTIVITY_METADATA: readonly z.ZodObject[] = [
  ...new Set(Object.values(SCHEMAS).flatMap((byType) => Object.values(byType).flat())),
  Other,
]

const DECISIVE = ['protocol', 'activity_type', 'metadata']

/** One of these is an activity: they say what `metadata` is, by `protocol` and `activity_type`. */
export const ACTIVITY_VARIANTS: readonly JsonSchema[] = [
  {
    oneOf: Object.entries(SCHEMAS).flatMap(([protocol, byType]) =>
      Object.entries(byType).map(([type, schemas]) => ({
        required: DECISIVE,
        properties: { protocol: { const: protocol }, activity_type: { const: type }, metadata: anyOf(schemas.map(reference)) },
      })),
    ),
  },
  { required: DECISIVE, properties: { protocol: { not: { enum: Object.keys(SCHEMAS) } }, metadata: reference(Other) } },
]

function anyOf([only, ...others]: readonly JsonSchema[]): JsonSchema {
  return only !== undefined && others.length === 0 ? only : { anyOf: [only, ...others] }
}

function reference(schema: z.ZodObject): JsonSchema {
  return { $ref: `#/components/schemas/${schema.meta()?.id}` }
}
