// Reserves of a lending pool with the prices of its oracle, its limits and its cash.

import type { Reserve } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { numbers } from '../format/number.ts'
import { Block } from './block.tsx'
import { AssetLink, LedgerLink, PriceSourceLink } from './links.tsx'
import { StatusMark } from './status-mark.tsx'
import { type Column, Table } from './table.tsx'

const COLUMNS: readonly Column<Reserve>[] = [
  { title: 'Asset', cell: ({ asset_id, asset_symbol }) => <AssetLink assetId={asset_id} symbol={asset_symbol} /> },
  { title: 'Price', cell: ({ metadata }) => numbers.price(metadata.price_usd), isNumber: true },
  { title: 'Source', cell: ({ metadata }) => <PriceSourceLink source={metadata.price_source} /> },
  { title: 'Cash', cell: ({ metadata }) => metadata.kind === 'lending' && <Exact decimal={metadata.cash} />, isNumber: true },
  { title: 'Supply cap', cell: ({ supply_cap }) => (supply_cap === '0' ? 'no limit' : <Exact decimal={supply_cap} />), isNumber: true },
  { title: 'Borrow cap', cell: ({ borrow_cap }) => <Exact decimal={borrow_cap} />, isNumber: true },
  {
    title: 'Target utilization',
    cell: ({ metadata }) => metadata.kind === 'lending' && numbers.percent(metadata.target_utilization),
    isNumber: true,
  },
  { title: 'bToken', cell: ({ b_rate }) => <Exact decimal={b_rate} />, isNumber: true, isWide: true },
  { title: 'dToken', cell: ({ d_rate }) => <Exact decimal={d_rate} />, isNumber: true, isWide: true },
  { title: 'Status', cell: ({ status }) => <StatusMark status={status} /> },
  { title: 'Last change', cell: ({ ledger }) => <LedgerLink ledger={ledger} />, isNumber: true },
]

function Exact({ decimal }: { readonly decimal: string | null }) {
  return <span title={decimal ?? ''}>{numbers.amount(decimal)}</span>
}

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
