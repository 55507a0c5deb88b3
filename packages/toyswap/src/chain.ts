// Bytes to values: the factory's event, a pool's instance, and what a pool emits about an account.

import type { SharePoolAction, SharePoolInstance } from '@orrery/fold-kit'
import {
  address,
  type ContractId,
  type EventRecord,
  event,
  i128,
  literal,
  matchEvent,
  readInstance,
  sc,
  struct,
  symbol,
  writeScVal,
} from '@orrery/ledger'

const NewPool = event([literal('symbol', 'new_pool')], struct({ pool: address }))
const Action = event([symbol], struct({ a: i128, b: i128, shares: i128, who: address }))
const key = (name: string): Uint8Array => writeScVal(sc.symbol(name))
const KEYS = { tokenA: key('TokenA'), tokenB: key('TokenB'), reserveA: key('ReserveA'), reserveB: key('ReserveB'), supply: key('Supply') }

/** The pool that a factory's event announces. Null: another event. */
export function readNewPool(record: EventRecord): ContractId | null {
  return matchEvent(NewPool, record)?.data.pool ?? null
}

/** `a` and `b` are what the account gives, negative where it receives. Null: an event that moves nothing. */
export function readAction(record: EventRecord): SharePoolAction | null {
  const read = matchEvent(Action, record)
  const type = (['deposit', 'withdraw', 'swap'] as const).find((name) => name === read?.topics[0])
  if (read === null || type === undefined) return null
  const { a, b, shares, who } = read.data
  return { type, who, given: [a, b], shares }
}

/** @throws OrreryError `unexpected_shape` where the bytes are no contract instance. */
export function readPool(bytes: Uint8Array, contract: ContractId): SharePoolInstance {
  const instance = readInstance(bytes, { contract, what: 'pool instance' })
  return {
    tokens: [instance.get(KEYS.tokenA, address) ?? '', instance.get(KEYS.tokenB, address) ?? ''],
    reserves: [instance.get(KEYS.reserveA, i128) ?? 0n, instance.get(KEYS.reserveB, i128) ?? 0n],
    supply: instance.get(KEYS.supply, i128) ?? 0n,
  }
}
