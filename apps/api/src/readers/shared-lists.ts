// Lists of pools that all requests share while the index does not change. A list is the same for every client: it is read once for each state
// of the index and each ledger, and requests that arrive meanwhile wait for the same reading.

import type { ContractId } from '@orrery/ledger'
import { outOfBackground } from '@orrery/service-kit'
import { LRUCache } from 'lru-cache'
import type { RouteContext } from '../route.ts'
import { indexState } from '../routes/basis.ts'
import type { Views } from '../views.ts'
import { readersOf } from './index.ts'
import { eachOnce, once } from './once.ts'
import type { ListedPools, Moment, Names, ProtocolReader } from './protocol-reader.ts'

type Lists = LRUCache<string, Promise<ListedPools>>

/** Each protocol at the last ledger and at those of pages that follow one. A list keeps the state of all pools of its protocol. */
const MOST_LISTS = 16

/** By the views of an API, which are made for its network and protocols. */
const listsOf = new WeakMap<Views, Lists>()

/** `listed` of the readers that `isAsked` selects, in their order. */
export async function sharedLists(
  isAsked: (reader: ProtocolReader) => boolean,
  moment: Moment,
  context: RouteContext,
): Promise<ListedPools[]> {
  const state = await indexState(context)
  const readers = readersOf(withoutSignal(context)).filter(isAsked)
  if (state === null) return Promise.all(readers.map((reader) => reader.listed(moment)))
  const lists: Lists = listsOf.get(context.views) ?? new LRUCache({ max: MOST_LISTS })
  listsOf.set(context.views, lists)
  return Promise.all(
    readers.map((reader) => {
      const key = JSON.stringify([reader.protocol, moment.at.ledger, state])
      const known = lists.get(key)
      if (known !== undefined) return known
      /** What was read while the index changed may belong to either state, so the list is not kept. */
      const check = async (): Promise<void> => {
        if ((await indexState(context)) !== state) lists.delete(key)
      }
      const list = outOfBackground(() => sharedList(reader, moment, check))
      lists.set(key, list)
      list.catch(() => lists.delete(key)) // the next request reads again; the error is thrown to all that wait
      return list
    }),
  )
}

/**
 * A client that disconnects does not end a reading for which others wait; the read model limits its time. Nor is the reading as of a ledger that one
 * request named: it would have pools of quarantined partitions.
 */
function withoutSignal(context: RouteContext): RouteContext {
  const { signal } = new AbortController()
  return { ...context, signal, call: { tag: context.call.tag, signal } }
}

/** @param check Called after each reading. */
async function sharedList(reader: ProtocolReader, moment: Moment, check: () => Promise<void>): Promise<ListedPools> {
  const checked = async <T>(reading: Promise<T>): Promise<T> => {
    const read = await reading
    await check()
    return read
  }
  const listed = await checked(reader.listed(moment))
  const yields = eachOnce((pools: readonly ContractId[]) =>
    outOfBackground(async () => new Map((await checked(listed.withYields(pools))).map((entry) => [entry.item.pool_id, entry]))),
  )
  return {
    ...rememberedNames(listed),
    entries: listed.entries,
    withYields: async (pools) => [...(await yields(pools)).values()],
    createdLedgers: eachOnce((pools) => outOfBackground(() => checked(listed.createdLedgers(pools)))),
  }
}

/** Computed once for each contract. */
function rememberedNames(names: Names): Names {
  return {
    protocol: names.protocol,
    knowsPool: once((id) => names.knowsPool(id)),
    contract: once((id) => names.contract(id)),
    isToken: once((id) => names.isToken(id)),
    asset: once((id) => names.asset(id)),
    price: once((id) => names.price(id)),
  }
}
