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

it('one that needs no slot passes its turn on, and one that left is not woken', () => {
  const slots = openRequestSlots(1)
  const woken: string[] = []
  const wake = { a: () => woken.push('a'), b: () => woken.push('b'), c: () => woken.push('c') }
  expect(slots.take(() => undefined)).toBe(true)
  for (const one of [wake.a, wake.b, wake.c]) expect(slots.take(one)).toBe(false)
  slots.forget(wake.b)
  // No slot is free.
  slots.pass()
  expect(woken).toEqual([])
  slots.release()
  slots.pass()
  slots.pass()
  expect(woken).toEqual(['a', 'c'])
})
