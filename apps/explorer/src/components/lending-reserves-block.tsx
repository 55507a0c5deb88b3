// Reserves of a lending pool with the prices of its oracle, its limits and its cash.

import type { Reserve } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { numbers } from '../format/number.ts'
import { Amount } from './amount.tsx'
import { Block } from './block.tsx'
import { AssetLink, LedgerLink, PriceSourceLink } from './links.tsx'
import { StatusMark } from './status-mark.tsx'
import { type Column, Table } from './table.tsx'

const COLUMNS: readonly Column<Reserve>[] = [
  { title: 'Asset', cell: ({ asset_id, asset_symbol }) => <AssetLink assetId={asset_id} symbol={asset_symbol} /> },
  { title: 'Price', cell: ({ metadata }) => numbers.price(metadata.price_usd), isNumber: true },
  { title: 'Source', cell: ({ metadata }) => <PriceSourceLink source={metadata.price_source} /> },
  { title: 'Cash', cell: ({ metadata }) => metadata.kind === 'lending' && <Amount of={metadata.cash} />, isNumber: true },
  { title: 'Supply cap', cell: ({ supply_cap }) => (supply_cap === '0' ? 'no limit' : <Amount of={supply_cap} />), isNumber: true },
  { title: 'Borrow cap', cell: ({ borrow_cap }) => <Amount of={borrow_cap} />, isNumber: true },
  {
    title: 'Target utilization',
    cell: ({ metadata }) => metadata.kind === 'lending' && numbers.percent(metadata.target_utilization),
    isNumber: true,
  },
  { title: 'Assets per bToken', cell: ({ b_rate }) => <span title={b_rate}>{numbers.rate(b_rate)}</span>, isNumber: true, isWide: true },
  { title: 'Assets per dToken', cell: ({ d_rate }) => <span title={d_rate}>{numbers.rate(d_rate)}</span>, isNumber: true, isWide: true },
  { title: 'Status', cell: ({ status }) => <StatusMark status={status} /> },
  { title: 'Changed in ledger', cell: ({ ledger }) => <LedgerLink ledger={ledger} />, isNumber: true },
]

interface LendingReservesBlockProps {
  readonly protocol: string
  /** Contract of the pool. */
  readonly pool: string
}

export function LendingReservesBlock({ protocol, pool }: LendingReservesBlockProps) {
  return (
    <Block
      title="Reserves"
      call={apiCall('protocols', 'reserves', protocol)}
      lines={6}
      empty={({ data }) => (data.reserves.some(({ contract }) => contract === pool) ? null : 'The pool has no reserve.')}
    >
      {({ data }) => (
        <Table
          label="Reserves of the pool"
          columns={COLUMNS}
          rows={data.reserves.filter(({ contract }) => contract === pool)}
          keyOf={({ asset_id }) => asset_id}
        />
      )}
    </Block>
  )
}
