// Pools as a table, for the lists of the home page and of a protocol.

import type { PoolItem } from '@orrery/client'
import { labelOf } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { protocolName } from '../format/protocol-name.ts'
import { PoolLink } from './links.tsx'
import { StatusMark } from './status-mark.tsx'
import { type Column, Table } from './table.tsx'

const COLUMNS: readonly Column<PoolItem>[] = [
  {
    title: 'Pool',
    cell: ({ pool_id, name, status }) => (
      <>
        <PoolLink poolId={pool_id} name={name} /> {status !== 'active' && <StatusMark status={status} />}
      </>
    ),
  },
  { title: 'TVL', cell: ({ tvl_usd }) => <span title={tvl_usd}>{numbers.usdShort(tvl_usd)}</span>, isNumber: true },
  {
    title: 'Volume 24 h',
    cell: ({ volume_24h_usd }) => <span title={volume_24h_usd ?? ''}>{numbers.usdShort(volume_24h_usd)}</span>,
    isNumber: true,
  },
  { title: 'Fee APY', cell: ({ fee_apy }) => numbers.percent(fee_apy), isNumber: true, isWide: true },
  { title: 'Reward APY', cell: ({ reward_apy }) => numbers.percent(reward_apy), isNumber: true, isWide: true },
  { title: 'Tokens', cell: ({ tokens }) => tokens.map(({ symbol }) => symbol || NO_VALUE).join(', '), isWide: true },
  { title: 'Protocol', cell: ({ protocol }) => protocolName(protocol), isWide: true },
  { title: 'Type', cell: ({ type }) => labelOf(type), isWide: true },
]

interface PoolsTableProps {
  readonly pools: readonly PoolItem[]
  /** All pools are of one protocol, which the page names. */
  readonly isOneProtocol?: boolean
}

export function PoolsTable({ pools, isOneProtocol = false }: PoolsTableProps) {
  const columns = COLUMNS.filter(({ title }) => !isOneProtocol || title !== 'Protocol')
  return <Table label="Pools" columns={columns} rows={pools} keyOf={({ pool_id }) => pool_id} />
}
