import { encodeEventKey } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ALICE, PAIR } from '../routes/testing/fixtures/network.ts'
import { comparePlaces, placeText, readPlace, type StreamPlace } from './stream-place.ts'

const ledger = fc.nat(4_294_967_295)
const small = fc.nat(3)
const activity = fc.tuple(ledger, small, small, small, small).map(([ledger, txOrder, opIndex, eventIndex, row]): StreamPlace => {
  return { ledger, part: 'activity', key: encodeEventKey({ ledger, txOrder, opIndex, eventIndex, row }) }
})
const position = fc
  .tuple(ledger, fc.constantFrom('position', 'health_factor'), fc.constantFrom('blend', 'fxdao'), fc.constantFrom(PAIR, 'fxdao:USD'))
  .map(([ledger, part, protocol, pool]): StreamPlace => ({ ledger, part: part as 'position', key: `${protocol}/${pool}/${ALICE}` }))
const end = ledger.map((ledger): StreamPlace => ({ ledger, part: 'ledger', key: '' }))
const place = fc.oneof(activity, position, end)

it('a place is read as it was written', () => {
  fc.assert(
    fc.property(place, (one) => {
      expect(readPlace(placeText(one))).toEqual(one)
    }),
  )
})

it('places have one order', () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      expect(Math.sign(comparePlaces(a, b))).toBe(-Math.sign(comparePlaces(b, a)) + 0)
      expect(comparePlaces(a, b) === 0).toBe(placeText(a) === placeText(b))
    }),
  )
})

it('within a ledger activities come first, then positions, then health factors, and its end is last', () => {
  const inOrder = [
    '7/activity/00000007000001000000000000000000',
    `7/position/blend/${PAIR}/${ALICE}`,
    `7/health_factor/aquarius/${PAIR}/${ALICE}`,
    '7',
    '8',
  ]
  const places = inOrder.map((text) => readPlace(text) as StreamPlace)
  expect([...places].reverse().sort(comparePlaces).map(placeText)).toEqual(inOrder)
})
