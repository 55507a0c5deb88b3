import { PROTOCOL_NUMBERS } from '@orrery/event-log/slices'
import { expect, it } from 'vitest'
import { PROTOCOLS } from '../src/index.ts'

it('the reader of slices for other programs knows the number of every shipped protocol', () => {
  expect(PROTOCOL_NUMBERS).toEqual(Object.fromEntries(PROTOCOLS.map(({ id, number }) => [id, number])))
})
