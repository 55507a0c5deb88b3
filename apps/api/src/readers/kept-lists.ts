// The lists of pools of the newest ledgers, kept in memory: every client asks for the same pools, in another order or selection. A list as of a ledger
// is final, and requests at the same time share its computation.

import type { ContractId } from '@orrery/ledger'
import type { ProtocolId } from '@orrery/protocol-kit'
import { type IndexTip, quarantineKey, type ReadModel } from '@orrery/read-model'
import { LRUCache } from 'lru-cache'
import type { PoolEntry } from '../present/pools/pool-item.ts'
import type { RouteContext } from '../route.ts'
import type { ListedPools, Moment } from './protocol-reader.ts'

/** Lists of all protocols together: those of the newest ledger, and of one before that a cursor still reads. */
const MOST_LISTS = 8

const kept = new WeakMap<ReadModel, LRUCache<string, Promise<ListedPools>>>()

/**
 * `read` on the first call for the ledger, its result afterwards.
 *
 * @param read Gets a context that no request can abort: others wait for the same list.
 */
export async function keptList(
  protocol: ProtocolId,
  moment: Moment,
  context: RouteContext,
  read: (context: RouteContext) => Promise<ListedPools>,
): Promise<ListedPools> {
  const { readModel, call } = context
  // An answer as of a ledger is one of many, and may have the pools of a quarantined partition.
  if (call.asOf !== undefined) return read(context)
  const tip = await readModel.tip()
  const lists = kept.get(readModel) ?? new LRUCache({ max: MOST_LISTS })
  kept.set(readModel, lists)
  const key = keyOf(protocol, tip, moment)
  const known = lists.get(key)
  if (known !== undefined) return known
  const list = read({ ...context, signal: NEVER, call: { tag: call.tag, signal: NEVER } }).then(remembering)
  lists.set(key, list)
  list.catch(() => lists.delete(key)) // the next request reads again; those that wait get the error
  return list
}

const NEVER = new AbortController().signal

function keyOf(protocol: ProtocolId, tip: IndexTip, { at, indexed }: Moment): string {
  const version = tip.adapters.find((adapter) => adapter.protocol === protocol)?.version ?? 0
  return JSON.stringify([protocol, version, at.ledger, indexed.first.ledger, quarantineKey(tip, at.ledger)])
}

/** The list, which reads yields and creation ledgers of each pool once. */
function remembering(list: ListedPools): ListedPools {
  const yields = new Map<ContractId, PoolEntry | null>()
  const created = new Map<ContractId, number | null>()
  return {
    ...list,
    async withYields(pools) {
      const missing = pools.filter((pool) => !yields.has(pool))
      const found = new Map((missing.length === 0 ? [] : await list.withYields(missing)).map((entry) => [entry.item.pool_id, entry]))
      for (const pool of missing) yields.set(pool, found.get(pool) ?? null)
      return pools.flatMap((pool) => yields.get(pool) ?? [])
    },
    async createdLedgers(pools) {
      const missing = pools.filter((pool) => !created.has(pool))
      const found = missing.length === 0 ? new Map<ContractId, number>() : await list.createdLedgers(missing)
      for (const pool of missing) created.set(pool, found.get(pool) ?? null)
      return new Map(
        pools.flatMap((pool) => {
          const ledger = created.get(pool) ?? null
          return ledger === null ? [] : [[pool, ledger] as const]
        }),
      )
    },
  }
}
