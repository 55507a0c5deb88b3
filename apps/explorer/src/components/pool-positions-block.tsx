// The largest positions in a pool, or those nearest to liquidation.

import type { AccountPosition, Meta, PoolItem } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { contractNames, type NameOf } from '../api/contract-names.ts'
import { placesWarnedOf } from '../api/warnings.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { riskPath } from '../paths.ts'
import { useChoice } from '../use-parameter.ts'
import { Block } from './block.tsx'
import { AddressLink } from './links.tsx'
import { Options } from './options.tsx'
import { Pager, useTrail } from './pager.tsx'
import { PositionHealth } from './status-mark.tsx'
import { type Column, Table } from './table.tsx'

const PAGE_OF_POSITIONS = 10
const SORTS = { net_usd: 'Net value', borrowed_usd: 'Debt', health_factor: 'Health factor' } as const
type Sort = keyof typeof SORTS

interface Row extends AccountPosition {
  /** An item of the position has no price: the values lack it. */
  readonly isUnpriced: boolean
}

function columnsOf(nameOf: NameOf, hasDebts: boolean): readonly Column<Row>[] {
  const account: Column<Row> = { title: 'Account', cell: ({ address }) => <AddressLink address={address} name={nameOf(address)} /> }
  const net: Column<Row> = {
    title: 'Net',
    cell: ({ net_usd, isUnpriced }) => <Value usd={net_usd} isUnpriced={isUnpriced} />,
    isNumber: true,
  }
  if (!hasDebts) return [account, net]
  return [
    account,
    { title: 'Deposited', cell: ({ deposited_usd, isUnpriced }) => <Value usd={deposited_usd} isUnpriced={isUnpriced} />, isNumber: true },
    { title: 'Owed', cell: ({ borrowed_usd, isUnpriced }) => <Value usd={borrowed_usd} isUnpriced={isUnpriced} />, isNumber: true },
    net,
    { title: 'Health factor', cell: (row) => <PositionHealth position={row} isUnpriced={row.isUnpriced} /> },
  ]
}

/** A value of 0 that lacks an item is unknown. */
function Value({ usd, isUnpriced }: { readonly usd: string; readonly isUnpriced: boolean }) {
  return isUnpriced && Number(usd) === 0 ? NO_VALUE : <span title={usd}>{numbers.usd(usd)}</span>
}

export function PoolPositionsBlock({ pool }: { readonly pool: PoolItem }) {
  const { pool_id, protocol, type } = pool
  const [chosen, setSort] = useChoice('sort', SORTS, 'net_usd')
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
        <select value={sort} onChange={({ currentTarget: { value } }) => setSort(value as Sort)}>
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
      {({ data, enrichment, meta }) => (
        <>
          <Table
            label="Top positions"
            columns={columnsOf(contractNames(enrichment), hasDebts)}
            rows={rowsOf(data.positions, meta)}
            keyOf={({ address }) => address}
          />
          <Pager trail={trail} nextCursor={data.next_cursor} about="positions" />
        </>
      )}
    </Block>
  )
}

function rowsOf(positions: readonly AccountPosition[], meta: Meta): Row[] {
  const unpriced = placesWarnedOf(meta, 'unpriced_asset', 'positions')
  return positions.map((position, n) => ({ ...position, isUnpriced: unpriced.has(n) }))
}
