// Activities as a table: who, what, how much, at which price, and the name that the contract gave the event.

import type { Activity } from '@orrery/client'
import { labelOf, shortened } from '../format/address.ts'
import { numbers } from '../format/number.ts'
import { AddressLink, AssetLink, PriceSourceLink, TransactionLink } from './links.tsx'
import { Moment } from './moment.tsx'
import { type Column, Table } from './table.tsx'

/** The directions of the API, seen from the account. */
const DIRECTIONS: Readonly<Record<string, string>> = { sent: 'sent', received: 'received', none: '' }

/** The event of the contract; a state-driven protocol may have none. */
function eventNameOf({ metadata }: Activity): string {
  return 'event' in metadata && typeof metadata.event === 'string' ? metadata.event : ''
}

const ACCOUNT: Column<Activity> = { title: 'Account', cell: ({ address }) => <AddressLink address={address} /> }
const REST: readonly Column<Activity>[] = [
  { title: 'What', cell: ({ activity_type }) => labelOf(activity_type) },
  { title: 'Event', cell: (activity) => <code>{eventNameOf(activity)}</code> },
  { title: 'Direction', cell: ({ direction }) => DIRECTIONS[direction] ?? direction },
  {
    title: 'Amount',
    cell: ({ amount, asset_id }) => (asset_id === '' ? '' : <span title={amount}>{numbers.amount(amount)}</span>),
    isNumber: true,
  },
  { title: 'Asset', cell: ({ asset_id, asset_symbol }) => <AssetLink assetId={asset_id} symbol={asset_symbol} /> },
  { title: 'Value', cell: ({ usd_value }) => <span title={usd_value ?? ''}>{numbers.usd(usd_value)}</span>, isNumber: true },
  {
    title: 'Price',
    cell: ({ price_usd, price_source }) => (
      <>
        {numbers.price(price_usd)} <PriceSourceLink source={price_source} />
      </>
    ),
  },
]
const TIME: Column<Activity> = {
  title: 'Time',
  cell: ({ timestamp, tx_hash }) => (
    <TransactionLink hash={tx_hash}>
      <Moment at={timestamp} />
    </TransactionLink>
  ),
}

interface ActivitiesTableProps {
  readonly label: string
  readonly activities: readonly Activity[]
  /** Of one transaction: its time is known, and the pools differ. */
  readonly isOneTransaction?: boolean
  readonly poolNameOf?: (contract: string) => string | undefined
}

export function ActivitiesTable({ label, activities, isOneTransaction = false, poolNameOf = () => undefined }: ActivitiesTableProps) {
  const pool: Column<Activity> = {
    title: 'Pool',
    cell: ({ contract }) => <AddressLink address={contract} name={poolNameOf(contract) || shortened(contract)} />,
  }
  const columns = isOneTransaction ? [ACCOUNT, ...REST, pool] : [TIME, ACCOUNT, ...REST]
  return <Table label={label} columns={columns} rows={activities} keyOf={({ id }) => id} />
}
