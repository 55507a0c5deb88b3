// Bytes to values: the factory's event, a pool's instance, and what a pool emits about an account.

import { address, type EventRecord, event, i128, literal, matchEvent, readInstance, sc, struct, symbol, writeScVal } from '@orrery/ledger'

const NewPool = event([literal('symbol', 'new_pool')], struct({ pool: address }))
/** Amounts are what the account gives, so what it gets is negative. */
const Action = event([symbol], struct({ a: i128, b: i128, shares: i128, who: address }))
const key = (name: string): Uint8Array => writeScVal(sc.symbol(name))
const KEYS = { tokenA: key('TokenA'), tokenB: key('TokenB'), reserveA: key('ReserveA'), reserveB: key('ReserveB'), supply: key('Supply') }

export const readNewPool = (record: EventRecord) => matchEvent(NewPool, record)?.data ?? null

export function readAction(record: EventRecord) {
  const read = matchEvent(Action, record)
  const type = (['deposit', 'withdraw', 'swap'] as const).find((name) => name === read?.topics[0])
  return read === null || type === undefined ? null : { type, ...read.data }
}

export function readPool(bytes: Uint8Array, contract: string) {
  const instance = readInstance(bytes, { contract, what: 'pool instance' })
  const amount = (name: Uint8Array): bigint => instance.get(name, i128) ?? 0n
  const tokens = { tokenA: instance.get(KEYS.tokenA, address) ?? '', tokenB: instance.get(KEYS.tokenB, address) ?? '' }
  return { ...tokens, reserveA: amount(KEYS.reserveA), reserveB: amount(KEYS.reserveB), supply: amount(KEYS.supply) }
}
