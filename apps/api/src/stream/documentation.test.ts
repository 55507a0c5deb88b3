import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { wholeDocument } from '../testing/all-routes.ts'

const page = readFileSync(new URL('../../../../docs/streams.md', import.meta.url), 'utf8')

it('docs/streams.md lists the parameters of the stream by their names, all of them, and its example uses no others', () => {
  const parameters = wholeDocument().paths['/v1/stream']?.get?.parameters ?? []
  const names = parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : [])).sort()
  const table = page.split('| parameter |')[1]?.split('\n\n')[0] ?? ''
  const listed = table.split('\n').flatMap((line) => (line.split('|')[1] ?? '').match(/(?<=`)\w+(?=`)/g) ?? [])
  expect(listed.sort()).toEqual(names)
  const used = [...page.matchAll(/\/v1\/stream\?([^'\s]+)/g)].flatMap(([, query]) => [...new URLSearchParams(query).keys()])
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((name) => !names.includes(name))).toEqual([])
})
