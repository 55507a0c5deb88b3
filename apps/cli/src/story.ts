// Accounts worth looking at, found by asking the index: nobody's name stands in the code, so it works on any network.

import { defineQuery, type ReadModel } from '@orrery/read-model'
import { z } from 'zod'

export interface Story {
  /** What is to be seen there, as a heading. */
  readonly about: string
  /** Path and query of a request that shows it. */
  readonly path: string
}

const Address = z.string().nullable()

/** The largest provider, the busiest trader and the largest holder that is a contract. Null where there is none. */
const protagonists = defineQuery({
  name: 'protagonists',
  watermark: 'required',
  params: z.object({ watermark: z.int() }),
  row: z.object({ provider: Address, trader: Address, contract_owner: Address }),
  sql: `
    WITH
      owners AS (
        SELECT address, sum(net_usd) AS usd FROM positions_latest_v1 FINAL
        WHERE (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))} AND ledger <= {watermark:UInt32} AND open
        GROUP BY address
      ),
      traders AS (
        SELECT address, sum(counts) AS swaps FROM activities_by_ledger_v1 FINAL
        WHERE (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))} AND ledger <= {watermark:UInt32} AND activity_type = 'swap'
        GROUP BY address
      )
    SELECT
      (SELECT address FROM owners WHERE startsWith(address, 'G') ORDER BY usd DESC NULLS LAST, address LIMIT 1) AS provider,
      (SELECT address FROM traders WHERE startsWith(address, 'G') ORDER BY swaps DESC, address LIMIT 1) AS trader,
      (SELECT address FROM owners WHERE startsWith(address, 'C') ORDER BY usd DESC NULLS LAST, address LIMIT 1) AS contract_owner`,
})

/** Empty when the index has nobody to show. */
export async function storiesOf(readModel: ReadModel): Promise<Story[]> {
  const { ledger: watermark } = await readModel.watermark()
  const [found] = await readModel.query(protagonists, { watermark }, { tag: { route: 'orrery up', requestId: 'stories' } })
  const stories: Story[] = []
  if (found?.provider) stories.push({ about: 'What the largest liquidity provider owns', path: `/v1/users/${found.provider}/positions` })
  if (found?.trader) {
    stories.push({ about: 'What the busiest trader swapped last', path: `/v1/users/${found.trader}/activities?activity_type=swap&limit=5` })
  }
  if (found?.contract_owner) {
    stories.push({ about: 'A position that is owned by a contract', path: `/v1/users/${found.contract_owner}/positions/soroswap` })
  }
  return stories
}
