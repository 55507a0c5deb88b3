// The `{pool_id}` of a pool's endpoints, and which protocol it belongs to.

import { z } from 'zod'
import { refuse } from '../../errors.ts'
import { PoolId } from '../../params/pool-id.ts'
import { refuseQuarantined } from '../../quarantined-pool.ts'
import { readersOf } from '../../readers/index.ts'
import type { Moment, OnePool, ProtocolReader } from '../../readers/protocol-reader.ts'
import type { RouteContext } from '../../route.ts'

export const PoolPath = z.strictObject({
  pool_id: PoolId.describe('Contract of the pool; of FxDAO also the vaults of one currency, such as `fxdao:USD`.'),
})

export interface FoundPool {
  readonly reader: ProtocolReader
  readonly pool: OnePool & { readonly entry: NonNullable<OnePool['entry']> }
}

/** The pool as of a ledger, by whichever protocol has it. @throws 404, 503 `pool_quarantined`. */
export async function findPool(id: string, moment: Moment, context: RouteContext): Promise<FoundPool> {
  await refuseQuarantined(id, context)
  const found = await Promise.all(readersOf(context).map(async (reader) => ({ reader, pool: await reader.onePool(id, moment) })))
  for (const { reader, pool } of found) {
    if (pool.entry !== null) return { reader, pool: { ...pool, entry: pool.entry } }
  }
  throw refuse('not_found', `\`${id}\` is not a pool of this index. \`/v1/pools\` lists them.`)
}
