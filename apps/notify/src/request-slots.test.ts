import { expect, it } from 'vitest'
import { openRequestSlots } from './request-slots.ts'

it('there are never more slots taken than there are, and those who wait are woken in the order of asking, each once', () => {
  const slots = openRequestSlots(2)
  const woken: string[] = []
  const wake = { a: () => woken.push('a'), b: () => woken.push('b'), c: () => woken.push('c') }
  expect([slots.take(wake.a), slots.take(wake.a), slots.take(wake.b), slots.take(wake.c), slots.take(wake.b)]).toEqual([
    ...[true, true, false, false, false],
  ])
  slots.release()
  expect(woken).toEqual(['b'])
  expect([slots.take(wake.b), slots.take(wake.b)]).toEqual([true, false])
  slots.release()
  slots.release()
  expect(woken).toEqual(['b', 'c', 'b'])
  slots.release()
  expect(woken).toHaveLength(3)
})
