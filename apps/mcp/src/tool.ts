// A tool of the server: what a client is shown, the check of its arguments, and the request to the API.

import type { Tool as ToolDeclaration } from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { OrreryClient, RequestOptions } from '@orrery/client'
import { type ApiDocument, type Operation, operationOf } from './operation.ts'
import { type JsonSchema, selfContained } from './self-contained-schema.ts'
import { type AnyToolOperation, TOOL_OPERATIONS } from './tool-operations.ts'

export type Arguments = Readonly<Record<string, unknown>>

export interface Tool {
  readonly declaration: ToolDeclaration
  /** What is wrong with the arguments; null if the tool takes them. */
  readonly problemWith: (given: Arguments) => string | null
  /** The answer of the API. @throws what the client throws. */
  readonly call: (client: OrreryClient, given: Arguments, request: RequestOptions) => Promise<object>
}

export interface Tools {
  readonly byName: ReadonlyMap<string, Tool>
  /** Operations of which the document has none: the API is of another version. */
  readonly missing: readonly string[]
}

export function toolsOf(document: ApiDocument): Tools {
  const validation = new AjvJsonSchemaValidator()
  const missing: string[] = []
  const byName = new Map<string, Tool>()
  for (const [id, operation] of Object.entries<AnyToolOperation>(TOOL_OPERATIONS)) {
    const described = operationOf(document, id)
    if (described === null) missing.push(id)
    else byName.set(nameOf(id), toolOf(described, operation, document, validation))
  }
  return { byName, missing }
}

/** `getNetWorthHistory` -> `get_net_worth_history`. */
function nameOf(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function toolOf(
  { operationId, summary, description, parameters, responses }: Operation,
  { without = [], call }: AnyToolOperation,
  document: ApiDocument,
  validation: AjvJsonSchemaValidator,
): Tool {
  const { schemas } = document.components
  const taken = parameters.filter(({ name }) => !without.includes(name))
  const inputSchema = inputSchemaOf(taken, schemas)
  const validate: JsonSchemaValidator<unknown> = validation.getValidator(inputSchema as JsonSchemaType)
  const names = taken.map(({ name }) => name)
  return {
    declaration: {
      name: nameOf(operationId),
      title: summary,
      description,
      inputSchema: inputSchema as ToolDeclaration['inputSchema'],
      outputSchema: selfContained(responses[200].content['application/json'].schema, schemas) as ToolDeclaration['outputSchema'],
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    problemWith: (given) => {
      const unknown = Object.keys(given).filter((name) => !names.includes(name))
      if (unknown.length > 0) return `There is no argument ${unknown.join(', ')}. The arguments are ${names.join(', ')}.`
      const checked = validate(given)
      return checked.valid ? null : `The arguments do not match the schema of the tool: ${checked.errorMessage}.`
    },
    call: (client, given, request) => call(client, given as never, request), // the schema of the operation has accepted them
  }
}

function inputSchemaOf(parameters: Operation['parameters'], components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const properties = parameters.map(({ name, description, schema, example }) => [
    name,
    { ...schema, description, ...(example !== undefined && { examples: [example] }) },
  ])
  const required = parameters.flatMap((parameter) => (parameter.required ? [parameter.name] : []))
  return selfContained({ type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false }, components)
}
