import { expect, it } from 'vitest'
import { eachOnce, once } from './once.ts'

it('a value is computed once, also if it is null or undefined', () => {
  const asked: string[] = []
  const lengthOf = once((key: string) => {
    asked.push(key)
    return key === '' ? null : key === '?' ? undefined : key.length
  })
  expect(['ab', '', '?', 'ab', '', '?'].map(lengthOf)).toEqual([2, null, undefined, 2, null, undefined])
  expect(asked).toEqual(['ab', '', '?'])
})

it('calls at the same time read each key once, and a key without a value has none', async () => {
  const read: (readonly string[])[] = []
  const lengths = eachOnce(async (keys: readonly string[]) => {
    read.push(keys)
    return new Map(keys.filter((key) => key !== '').map((key) => [key, key.length]))
  })
  const found = await Promise.all([lengths(['a', '']), lengths(['bb', 'a']), lengths([''])])
  expect(found.map((values) => [...values])).toEqual([
    [['a', 1]],
    [
      ['bb', 2],
      ['a', 1],
    ],
    [],
  ])
  expect(read).toEqual([['a', ''], ['bb']])
})

it('keys are read again after a failure, which every waiting caller gets', async () => {
  let fails = true
  const lengths = eachOnce(async (keys: readonly string[]) => {
    if (fails) throw new Error('no answer')
    return new Map(keys.map((key) => [key, key.length]))
  })
  const refused = await Promise.allSettled([lengths(['a']), lengths(['a'])])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await lengths(['a'])).toEqual(new Map([['a', 1]]))
})
