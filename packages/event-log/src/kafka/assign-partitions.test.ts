import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignPartitions, type Member } from './assign-partitions.ts'

const groups = fc.record({
  partitions: fc.integer({ min: 1, max: 20 }),
  members: fc
    .uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
    .chain((ids) => fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), had: fc.uniqueArray(fc.nat(19)) })))),
})

describe('sharing partitions', () => {
  it('every partition is assigned to exactly one member, and no member has two more than another', () => {
    fc.assert(
      fc.property(groups, ({ partitions, members }) => {
        const shares = assignPartitions(members, partitions)
        expect([...shares.values()].flat().sort((a, b) => a - b)).toEqual(Array.from({ length: partitions }, (_, n) => n))
        expect([...shares.keys()].sort()).toEqual(members.map(({ id }) => id).sort())
        const sizes = [...shares.values()].map((share) => share.length)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('the assignment does not depend on the order of the members', () => {
    fc.assert(
      fc.property(groups, fc.integer(), ({ partitions, members }, turn) => {
        const turned = members.toSorted((a, b) => ((a.id.length + turn) % 3) - ((b.id.length + turn) % 3))
        expect(new Map(assignPartitions(turned, partitions))).toEqual(new Map(assignPartitions(members, partitions)))
      }),
    )
  })

  it('a new member takes only its fair share, and without one nothing moves', () => {
    const before: Member[] = [
      { id: 'a', had: [0, 1] },
      { id: 'b', had: [2, 3] },
    ]
    expect(Object.fromEntries(assignPartitions(before, 4))).toEqual({ a: [0, 1], b: [2, 3] })
    expect(Object.fromEntries(assignPartitions([...before, { id: 'c', had: [] }], 4))).toEqual({ a: [0, 1], b: [2], c: [3] })
    expect(Object.fromEntries(assignPartitions([{ id: 'b', had: [2, 3] }], 4))).toEqual({ b: [0, 1, 2, 3] })
  })

  it('members beyond the number of partitions get none', () => {
    expect(
      Object.fromEntries(
        assignPartitions(
          [
            { id: 'a', had: [] },
            { id: 'b', had: [0] },
          ],
          1,
        ),
      ),
    ).toEqual({ a: [], b: [0] })
  })
})
