import fc from 'fast-check'
import { expect, it } from 'vitest'
import { duplicateMember } from './duplicate-member.ts'

it.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a":{"b":1},"c":[{"d":1,"e":2,"d":3}]}', 'd'],
  ['{"a":"{\\"b\\":1,","b":"]","b":1}', 'b'],
  ['{ "" : 1 ,\n"" : 2 }', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['[{"a":1},{"a":2}]', null],
  ['{"a":{"a":{"a":1}}}', null],
  ['{"a":["a","a"],"b":"a"}', null],
  ['{"a":"b","b":"a"}', null],
  ['{}', null],
  ['"a"', null],
  ['12', null],
])('%s names %j twice', (json, name) => {
  JSON.parse(json)
  expect(duplicateMember(json)).toBe(name)
})

it('never finds one in what JSON.stringify writes, and finds each that is put in', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, name) => {
      expect(duplicateMember(JSON.stringify(value))).toBeNull()
      const twice = `{${JSON.stringify(name)}:${JSON.stringify(value)},"other name":[],${JSON.stringify(name)}:0}`
      expect(duplicateMember(twice)).toBe(name)
    }),
  )
})

it('reads a text as deep as it is long', () => {
  const deep = `${'{"a":['.repeat(10_000)}${']}'.repeat(10_000)}`
  expect(duplicateMember(deep)).toBeNull()
})
