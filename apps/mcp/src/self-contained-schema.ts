// Schemas of the OpenAPI document as JSON Schemas that stand alone, as MCP wants them.

export type JsonSchema = Readonly<Record<string, unknown>>

const COMPONENT = '#/components/schemas/'

/** Of OpenAPI, not of JSON Schema. */
const OPENAPI_KEYWORDS = ['example', 'discriminator']

/**
 * The schema with every component that it refers to under `$defs`. A reference at the top is replaced by its component: MCP requires
 * `type: object` there.
 */
export function selfContained(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const $defs: Record<string, unknown> = {}
  const add = (name: string): void => {
    if (name in $defs) return
    $defs[name] = null // a place, so that a component that contains itself ends
    $defs[name] = copyOf(components[name] ?? {}, add)
  }
  const top = copyOf(componentOf(schema, components), add)
  return Object.keys($defs).length === 0 ? top : { ...top, $defs }
}

function componentOf(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { $ref } = schema
  return typeof $ref === 'string' && $ref.startsWith(COMPONENT) ? (components[$ref.slice(COMPONENT.length)] ?? {}) : schema
}

function copyOf(schema: JsonSchema, add: (component: string) => void): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !OPENAPI_KEYWORDS.includes(keyword))
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, keywordOf(keyword, value, add)]))
}

function keywordOf(keyword: string, value: unknown, add: (component: string) => void): unknown {
  if (keyword === '$ref' && typeof value === 'string' && value.startsWith(COMPONENT)) {
    const name = value.slice(COMPONENT.length)
    add(name)
    return `#/$defs/${name}`
  }
  // Its members are named by the API, and may have the name of a keyword.
  if (keyword === 'properties' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, isObject(member) ? copyOf(member, add) : member]))
  }
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? copyOf(item, add) : item))
  return isObject(value) ? copyOf(value, add) : value
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
