import type { Slice } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { isHeartbeatDue } from './heartbeat.ts'
import { Journal } from './state/journal.ts'
import { rememberSize } from './state/small-positions.ts'

const USD = 100_000_000n
const slice = (of: Partial<Slice> = {}) => ({ protocol: 'soroswap', partition: 0, ledger: 5, closeTimeSeconds: 100, ...of }) as Slice
const hour = slice({ hourStart: true, dayStart: false })
const day = slice({ hourStart: true, dayStart: true })
const other = slice({ hourStart: false, dayStart: false })

describe('an unchanged open position', () => {
  it('an unchanged open position is written at the first ledger of an hour when its newest snapshot or its value is 1 USD or more', () => {
    expect(isHeartbeatDue(hour, 5n * USD, false)).toBe(true)
    expect(isHeartbeatDue(hour, USD, true)).toBe(true)
    // It fell below: the newest snapshot still has the larger value.
    expect(isHeartbeatDue(hour, USD - 1n, false)).toBe(true)
    expect(isHeartbeatDue(hour, 0n, false)).toBe(true)
  })

  it('an unchanged open position is not written at the first ledger of an hour when its newest snapshot and its value are below 1 USD', () => {
    expect(isHeartbeatDue(hour, USD - 1n, true)).toBe(false)
    expect(isHeartbeatDue(hour, 0n, true)).toBe(false)
  })

  it('an unchanged open position is written at the first ledger of an hour without a price, and of a day whatever it is worth', () => {
    expect(isHeartbeatDue(hour, null, true)).toBe(true)
    expect(isHeartbeatDue(hour, null, false)).toBe(true)
    expect(isHeartbeatDue(day, 0n, true)).toBe(true)
  })

  it('an unchanged open position is not written at any other ledger', () => {
    for (const value of [5n * USD, 0n, null]) expect(isHeartbeatDue(other, value, false)).toBe(false)
  })
})

describe('the size of a position that is written', () => {
  const row = { contract: 'pool', key: '@alice:small', owner: 'alice' }
  const written = (small: Set<string>, grossUsd: bigint | null, open = true) => {
    const journal = new Journal(slice())
    rememberSize(small, 'alice', row, { open, grossUsd }, journal)
    return journal.state().map(({ key, owner, value, removed, durability }) => ({ key, owner, value, removed, durability }))
  }
  const now = { key: '@alice:small', owner: 'alice', value: '{"small":true}', removed: false, durability: 'fact' }

  it('the size of a position that is written is a state row from the ledger on in which it becomes small, until one in which it is not or is closed', () => {
    const small = new Set<string>()
    expect(written(small, 5n * USD)).toEqual([])
    expect(written(small, USD - 1n)).toEqual([now])
    expect(written(small, 0n)).toEqual([])
    expect(written(small, USD)).toEqual([{ ...now, value: '', removed: true }])
    expect(written(small, 0n)).toEqual([now])
    expect(written(small, null)).toEqual([{ ...now, value: '', removed: true }])
    expect(written(small, 0n)).toEqual([now])
    expect(written(small, 0n, false)).toEqual([{ ...now, value: '', removed: true }])
    expect(small.size).toBe(0)
  })
})
