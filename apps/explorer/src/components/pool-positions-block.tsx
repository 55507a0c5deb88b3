// The largest positions in a pool, or those nearest to liquidation.

import type { AccountPosition, PoolItem } from '@orrery/client'
import { useState } from 'preact/hooks'
import { apiCall } from '../api/api-call.ts'
import { numbers } from '../format/number.ts'
import { riskPath } from '../paths.ts'
import { Block } from './block.tsx'
import { AddressLink } from './links.tsx'
import { Options } from './options.tsx'
import { Pager, useTrail } from './pager.tsx'
import { HealthFactor } from './status-mark.tsx'
import { type Column, Table } from './table.tsx'

const PAGE_OF_POSITIONS = 10
const SORTS = { net_usd: 'Net value', borrowed_usd: 'Debt', health_factor: 'Health factor' } as const
type Sort = keyof typeof SORTS

const ACCOUNT: Column<AccountPosition> = { title: 'Account', cell: ({ address }) => <AddressLink address={address} /> }
const NET: Column<AccountPosition> = { title: 'Net', cell: ({ net_usd }) => <Exact usd={net_usd} />, isNumber: true }
const COLUMNS_WITH_DEBT: readonly Column<AccountPosition>[] = [
  ACCOUNT,
  { title: 'Deposited', cell: ({ deposited_usd }) => <Exact usd={deposited_usd} />, isNumber: true },
  { title: 'Owed', cell: ({ borrowed_usd }) => <Exact usd={borrowed_usd} />, isNumber: true },
  NET,
  {
    title: 'Health factor',
    cell: ({ health_factor }) => <HealthFactor value={health_factor} text={numbers.ratio(health_factor)} />,
  },
]

function Exact({ usd }: { readonly usd: string }) {
  return <span title={usd}>{numbers.usd(usd)}</span>
}

export function PoolPositionsBlock({ pool }: { readonly pool: PoolItem }) {
  const { pool_id, protocol, type } = pool
  const [chosen, setSort] = useState<Sort>('net_usd')
  const hasDebts = type === 'lending' || type === 'vault'
  const sort = hasDebts ? chosen : 'net_usd'
  const trail = useTrail(`${pool_id} ${sort}`)
  const call = apiCall('protocols', 'accounts', protocol, {
    limit: PAGE_OF_POSITIONS,
    sort,
    pool: pool_id,
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  const controls = hasDebts && (
    <div class="controls">
      <label>
        Sort by
        <select
          value={sort}
          onChange={({ currentTarget: { value } }) => setSort(Object.hasOwn(SORTS, value) ? (value as Sort) : 'net_usd')}
        >
          <Options of={SORTS} />
        </select>
      </label>
      <a href={riskPath(protocol, pool_id)}>Positions at risk</a>
    </div>
  )
  return (
    <Block
      title="Top positions"
      call={call}
      controls={controls}
      lines={PAGE_OF_POSITIONS}
      keepPrevious
      empty={({ data }) => (data.positions.length === 0 ? 'No account has a position in this pool.' : null)}
    >
      {({ data }) => (
        <>
          <Table
            label="Top positions"
            columns={hasDebts ? COLUMNS_WITH_DEBT : [ACCOUNT, NET]}
            rows={data.positions}
            keyOf={({ address }) => address}
          />
          <Pager trail={trail} nextCursor={data.next_cursor} about="positions" />
        </>
      )}
    </Block>
  )
}
