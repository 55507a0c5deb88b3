// The choices of the filters of pools, with the words of `/v1/pools`.

import type { PoolItem } from '@orrery/client'
import { labelOf } from '../format/address.ts'
import type { ProtocolId } from '../format/protocol-name.ts'

type PoolType = PoolItem['type']

/** Every protocol has some of the types only: a filter offers no other. */
const TYPES: Readonly<Record<ProtocolId, readonly PoolType[]>> = {
  blend: ['lending'],
  aquarius: ['constant_product', 'stable', 'concentrated', 'unknown'],
  soroswap: ['constant_product'],
  fxdao: ['vault', 'staking'],
}
const STATUSES: readonly PoolItem['status'][] = ['active', 'on_ice', 'frozen', 'setup', 'paused', 'retired']

export const POOL_STATUS_NAMES = named(STATUSES)

/** Types of a protocol by name. @param protocol Undefined, or one that this build does not know: those of all. */
export function poolTypeNames(protocol: ProtocolId | undefined): Readonly<Record<string, string>> {
  const own = protocol !== undefined && Object.hasOwn(TYPES, protocol) ? TYPES[protocol] : undefined
  return named(own ?? Object.values(TYPES).flat())
}

function named<Word extends string>(words: readonly Word[]): Readonly<Record<string, string>> {
  return Object.fromEntries(words.map((word) => [word, labelOf(word)]))
}

/** As the API takes an amount of USD. */
export function isUsd(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,20}(\.\d{1,8})?$/.test(text)
}
