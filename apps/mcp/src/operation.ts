// The parts of the OpenAPI document from which tools are made.

import { z } from 'zod'

const Schema = z.record(z.string(), z.unknown())

/** Of any API: what is below a path is checked where it is used. */
export const ApiDocument = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})
export type ApiDocument = z.output<typeof ApiDocument>

const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      description: z.string(),
      schema: Schema,
      example: z.union([z.string(), z.number()]).optional(),
    }),
  ),
  responses: z.object({ 200: z.object({ content: z.object({ 'application/json': z.object({ schema: Schema }) }) }) }),
})

export type Operation = z.output<typeof Operation>

/** The operation of that id; null if the document has none, or none of that shape. */
export function operationOf({ paths }: ApiDocument, id: string): Operation | null {
  const found = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find((operation) => (operation as Partial<Operation> | null)?.operationId === id)
  return Operation.safeParse(found).data ?? null
}
