import { expect, it } from 'vitest'
import { selfContained } from '../src/self-contained-schema.ts'

const TREE = {
  type: 'object',
  properties: {
    // Members that have the names of keywords.
    example: { type: 'string', example: 'oak' },
    discriminator: { $ref: '#/components/schemas/Leaf' },
    children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
  },
  required: ['example'],
}
const LEAF = {
  anyOf: [{ $ref: '#/components/schemas/Tree', description: 'a tree' }, { type: ['number', 'null'] }],
  discriminator: { propertyName: 'kind', mapping: { tree: '#/components/schemas/Tree' } },
}

it('a schema has each component that it refers to once, also one that contains itself, and no keyword of OpenAPI', () => {
  const tree = {
    type: 'object',
    properties: {
      example: { type: 'string' },
      discriminator: { $ref: '#/$defs/Leaf' },
      children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
    },
    required: ['example'],
  }
  const components = { Tree: TREE, Leaf: LEAF, Unused: { type: 'string' } }
  expect(selfContained({ $ref: '#/components/schemas/Tree' }, components)).toEqual({
    ...tree,
    $defs: { Tree: tree, Leaf: { anyOf: [{ $ref: '#/$defs/Tree', description: 'a tree' }, { type: ['number', 'null'] }] } },
  })
})

it('a schema without references is only copied', () => {
  const schema = { type: 'object', properties: { limit: { type: 'integer', minimum: 1, default: 50 } }, additionalProperties: false }
  expect(selfContained(schema, {})).toEqual(schema)
})
