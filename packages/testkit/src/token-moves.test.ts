// Token events in every layout that a ledger may have, read by the tests' own reader, which checks the rows of all protocols.

import { type EventRecord, type ScVal, sc } from '@orrery/ledger'
import { describe, expect, it } from 'vitest'
import { madeEvent } from './folding/scene.ts'
import { testAccount, testContract } from './test-names.ts'
import { tokenMoves } from './token-moves.ts'

const token = testContract('token')
const alice = testAccount('alice')
const bob = testAccount('bob')
const admin = testAccount('admin')
const name = sc.string('USDC:GBN73EVRSCIJ3VSWLKTJK67SW2N74C7NQHHS7CFRMXQMVJ3SED2BOGH')

function moveOf(topics: readonly ScVal[], data: ScVal = sc.i128(7n)) {
  const event: EventRecord = { ...madeEvent(token, topics, data), tx: 0, opIndex: 0, index: 3 }
  return tokenMoves([event]).map(({ from, to, amount, index }) => [from, to, amount, index])
}

describe('the events of a token', () => {
  it('a transfer event is from the first address to the second, with or without the name of a classic asset after them', () => {
    const topics = [sc.symbol('transfer'), sc.address(alice), sc.address(bob)]
    expect(moveOf(topics)).toEqual([[alice, bob, 7n, 3]])
    expect(moveOf([...topics, name])).toEqual([[alice, bob, 7n, 3]])
  })

  it('a transfer to a multiplexed receiver has its amount in a map', () => {
    const data = sc.struct({ amount: sc.i128(9n), to_muxed_id: sc.u64(1n) })
    expect(moveOf([sc.symbol('transfer'), sc.address(alice), sc.address(bob), name], data)).toEqual([[alice, bob, 9n, 3]])
  })

  it('a mint event is for the last address, after the admin in the old layout', () => {
    expect(moveOf([sc.symbol('mint'), sc.address(admin), sc.address(bob)])).toEqual([[null, bob, 7n, 3]])
    expect(moveOf([sc.symbol('mint'), sc.address(bob), name])).toEqual([[null, bob, 7n, 3]])
  })

  it('a burn or clawback event is from the last address', () => {
    expect(moveOf([sc.symbol('burn'), sc.address(alice), name])).toEqual([[alice, null, 7n, 3]])
    expect(moveOf([sc.symbol('clawback'), sc.address(admin), sc.address(alice), name])).toEqual([[alice, null, 7n, 3]])
  })

  it('allowances and events of another layout are no token moves', () => {
    expect(moveOf([sc.symbol('approve'), sc.address(alice), sc.address(bob)], sc.vec(sc.i128(7n), sc.u32(9)))).toEqual([])
    expect(moveOf([sc.symbol('transfer'), sc.address(alice)])).toEqual([])
    expect(moveOf([sc.symbol('burn'), sc.u32(1)])).toEqual([])
    expect(moveOf([sc.string('burn'), sc.address(alice)])).toEqual([])
  })
})
