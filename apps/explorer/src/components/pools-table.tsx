// Pools as a table, for the lists of the home page and of a protocol.

import type { PoolItem } from '@orrery/client'
import { labelOf } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { protocolName } from '../format/protocol-name.ts'
import { isUnpriced } from '../pools/unpriced.ts'
import { PoolLink } from './links.tsx'
import { StatusMark } from './status-mark.tsx'
import { type Column, Table } from './table.tsx'

const POOL: Column<PoolItem> = {
  title: 'Pool',
  cell: ({ pool_id, name, status }) => (
    <>
      <PoolLink poolId={pool_id} name={name} /> {status !== 'active' && <StatusMark status={status} />}
    </>
  ),
}
/** Pools of two protocols may have the same name: where the column of the protocol has no place, its name stands below. */
const POOL_OF_ANY_PROTOCOL: Column<PoolItem> = {
  ...POOL,
  cell: (pool) => (
    <>
      {POOL.cell(pool)}
      <span class="note narrow">{protocolName(pool.protocol)}</span>
    </>
  ),
}
const TVL: Column<PoolItem> = {
  title: 'TVL',
  cell: ({ tvl_usd, reserves }) => (isUnpriced(reserves) ? NO_VALUE : <span title={tvl_usd}>{numbers.usdShort(tvl_usd)}</span>),
  isNumber: true,
}
/** Null for pools that are no AMM. */
const AMM_COLUMNS: Readonly<Record<'volume_24h_usd' | 'fee_apy' | 'reward_apy', Column<PoolItem>>> = {
  volume_24h_usd: {
    title: 'Volume 24\u00a0h',
    cell: ({ volume_24h_usd }) => <span title={volume_24h_usd ?? ''}>{numbers.usdShort(volume_24h_usd)}</span>,
    isNumber: true,
  },
  fee_apy: { title: 'Fee APY 7\u00a0d', cell: ({ fee_apy }) => numbers.percent(fee_apy), isNumber: true, isWide: true },
  reward_apy: { title: 'Reward APY', cell: ({ reward_apy }) => numbers.percent(reward_apy), isNumber: true, isWide: true },
}
const TOKENS: Column<PoolItem> = {
  title: 'Tokens',
  cell: ({ tokens }) => tokens.map(({ symbol }) => symbol || NO_VALUE).join(', '),
  isWide: true,
}
const PROTOCOL: Column<PoolItem> = { title: 'Protocol', cell: ({ protocol }) => protocolName(protocol), isWide: true }
const TYPE: Column<PoolItem> = { title: 'Type', cell: ({ type }) => labelOf(type), isWide: true }

interface PoolsTableProps {
  readonly pools: readonly PoolItem[]
  /** All pools are of one protocol, which the page names. */
  readonly isOneProtocol?: boolean
}

export function PoolsTable({ pools, isOneProtocol = false }: PoolsTableProps) {
  const columns = isOneProtocol
    ? [POOL, TVL, ...knownColumns(pools), TOKENS, TYPE]
    : [POOL_OF_ANY_PROTOCOL, TVL, ...Object.values(AMM_COLUMNS), TOKENS, PROTOCOL, TYPE]
  return <Table label="Pools" columns={columns} rows={pools} keyOf={({ pool_id }) => pool_id} />
}

/** Columns in which a pool has a value. */
function knownColumns(pools: readonly PoolItem[]): Column<PoolItem>[] {
  const members = Object.keys(AMM_COLUMNS) as (keyof typeof AMM_COLUMNS)[]
  return members.filter((member) => pools.some((pool) => pool[member] !== null)).map((member) => AMM_COLUMNS[member])
}
