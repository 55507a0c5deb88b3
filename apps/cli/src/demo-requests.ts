// Example requests about accounts that are found by a query, so that they work on any network.

import { defineQuery, type ReadModel } from '@orrery/read-model'
import type { Logger } from '@orrery/service-kit'
import { z } from 'zod'

export interface DemoRequest {
  /** What the request shows, as a heading. */
  readonly about: string
  /** Path and query of a request that shows it. */
  readonly path: string
}

const Text = z.string().nullable()

/**
 * The account in the most protocols, the largest borrower of Blend with the pool, the busiest trader of the newest million activities and the largest
 * holder that is a contract. Null where there is none.
 */
const demoAccounts = defineQuery({
  name: 'demo_accounts',
  watermark: 'required',
  params: z.object({ watermark: z.int() }),
  row: z.object({ owner: Text, borrower: Text, pool: Text, trader: Text, contract_owner: Text }),
  sql: `
    WITH
      positions AS (
        -- A subquery without a row gives NULL, which a LowCardinality cannot hold.
        SELECT address, protocol, CAST(pool, 'String') AS pool_id, borrowed_usd, net_usd FROM positions_latest_v1 FINAL
        WHERE (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))} AND ledger <= {watermark:UInt32} AND open
      ),
      owners AS (SELECT address, uniqExact(protocol) AS protocols, sum(net_usd) AS usd FROM positions GROUP BY address),
      borrowers AS (
        SELECT address, pool_id FROM positions WHERE protocol = 'blend' AND borrowed_usd > 0 AND startsWith(address, 'G')
        ORDER BY borrowed_usd DESC, address LIMIT 1
      ),
      traders AS (
        SELECT address, sum(counts) AS swaps FROM (
          SELECT address, activity_type, counts FROM activities_by_ledger_v1
          WHERE (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))} AND ledger <= {watermark:UInt32}
          ORDER BY ledger DESC LIMIT 1 BY ledger, tx_order, op_index, event_index, address, row LIMIT 1000000
        )
        WHERE activity_type = 'swap'
        GROUP BY address
      )
    SELECT
      (SELECT address FROM owners WHERE startsWith(address, 'G') ORDER BY protocols DESC, usd DESC NULLS LAST, address LIMIT 1) AS owner,
      (SELECT address FROM borrowers) AS borrower,
      (SELECT pool_id FROM borrowers) AS pool,
      (SELECT address FROM traders WHERE startsWith(address, 'G') ORDER BY swaps DESC, address LIMIT 1) AS trader,
      (SELECT address FROM owners WHERE startsWith(address, 'C') ORDER BY usd DESC NULLS LAST, address LIMIT 1) AS contract_owner`,
})

/** Empty when the index has no such account, or finding one takes too long: a large index serves without examples. */
export async function demoRequestsOf(readModel: ReadModel, logger: Logger): Promise<DemoRequest[]> {
  try {
    return await findRequests(readModel)
  } catch (err) {
    logger.warn({ err }, 'Example requests could not be made')
    return []
  }
}

async function findRequests(readModel: ReadModel): Promise<DemoRequest[]> {
  const { ledger: watermark } = await readModel.watermark()
  const [found] = await readModel.query(demoAccounts, { watermark }, { tag: { route: 'orrery up', requestId: 'demo_requests' } })
  const requests: DemoRequest[] = []
  if (found?.owner) requests.push({ about: 'What an account owns in all protocols', path: `/v1/users/${found.owner}/positions` })
  if (found?.borrower && found.pool) {
    const path = `/v1/users/${found.borrower}/positions/blend/${found.pool}/history?range=7d`
    requests.push({ about: 'A week of the largest borrower of Blend', path })
  }
  if (found?.trader) {
    requests.push({
      about: 'What the busiest trader swapped last',
      path: `/v1/users/${found.trader}/activities?activity_type=swap&limit=5`,
    })
  }
  if (found?.contract_owner) {
    requests.push({ about: 'Positions that are owned by a contract', path: `/v1/users/${found.contract_owner}/positions` })
  }
  return requests
}
