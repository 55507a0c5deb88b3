import type { Activity } from '@orrery/client'
import { expect, it } from 'vitest'
import { directionOf } from './direction.ts'
import { NO_VALUE } from './number.ts'

const shown = (direction: string, metadata: object): string => directionOf({ direction, metadata } as Activity)

it('the direction of what the account gives or gets is that of the API', () => {
  expect([shown('sent', { receiver: 'G' }), shown('received', {})]).toEqual(['sent', 'received'])
})

it('an asset that the account neither gives nor gets has the reason as its direction', () => {
  expect(
    [{ debt_change: '-1.5' }, { debt_change: '1.5' }, { path_step: 1 }, { payer: 'G' }, { receiver: 'C' }, {}].map((metadata) =>
      shown('none', metadata),
    ),
  ).toEqual(['owes\u00a0less', 'owes\u00a0more', 'routed', 'paid by another', 'paid to another', NO_VALUE])
})
