import type { Meta } from '@orrery/client'
import { expect, it } from 'vitest'
import { matching } from './matching.ts'

const answerOf = (paths: readonly (string | null)[]) => ({
  data: { pools: ['XLM', 'USDC', 'EURC', 'USDx'], next_cursor: null },
  meta: {
    partial_result: true,
    warnings: paths.map((path) => ({ code: 'unpriced_asset', message: String(path), path })),
  } as unknown as Meta,
})

it('a part of a list has the warnings of its items at their new places, and those of the whole answer', () => {
  const answer = matching(answerOf(['/pools/0/tvl_usd', '/pools/3/tvl_usd', null]), 'pools', (name: string) => name.startsWith('USD'))
  expect(answer.data).toEqual({ pools: ['USDC', 'USDx'], next_cursor: null })
  expect(answer.meta.warnings.map(({ message, path }) => [message, path])).toEqual([
    ['/pools/3/tvl_usd', '/pools/1/tvl_usd'],
    ['null', null],
  ])
  expect(answer.meta.partial_result).toBe(true)
})

it('a part of a list is not partial if only other items lack something', () => {
  const answer = matching(answerOf(['/pools/0/tvl_usd']), 'pools', (name: string) => name.startsWith('USD'))
  expect(answer.meta).toMatchObject({ warnings: [], partial_result: false })
})
