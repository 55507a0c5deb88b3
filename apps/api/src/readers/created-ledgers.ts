// When pools were made, from the rows that announced them.

import type { ContractId } from '@orrery/ledger'
import type { Announcement, ProtocolId } from '@orrery/protocol-kit'
import { firstStateRows } from '@orrery/read-model/queries'
import type { RouteContext } from '../route.ts'
import type { Moment } from './protocol-reader.ts'

/** The ledger that made each pool, of those that were made within the index. For the pools of a page. */
export async function createdLedgers(
  of: { readonly protocol: ProtocolId; readonly listings: readonly ContractId[]; readonly announcement: Announcement },
  pools: readonly ContractId[],
  { at }: Moment,
  { readModel, call }: RouteContext,
): Promise<ReadonlyMap<ContractId, number>> {
  if (pools.length === 0) return new Map()
  const { protocol, listings, announcement } = of
  const keys = pools.map((pool) => announcement.keyOf(pool))
  const rows = await readModel.query(firstStateRows, { protocol, contracts: [...listings], keys, watermark: at.ledger }, call)
  const madeAt = new Map(
    rows.flatMap(({ key, ledger, value }) =>
      announcement.isCreation(JSON.parse(value) as Record<string, unknown>) ? [[key, ledger] as const] : [],
    ),
  )
  return new Map(
    pools.flatMap((pool) => {
      const ledger = madeAt.get(announcement.keyOf(pool))
      return ledger === undefined ? [] : [[pool, ledger] as const]
    }),
  )
}
