// Activities as a table: who, what, how much, at which price, and the name that the contract gave the event.

import type { Activity } from '@orrery/client'
import type { NameOf } from '../api/contract-names.ts'
import { labelOf } from '../format/address.ts'
import { directionOf } from '../format/direction.ts'
import { numbers } from '../format/number.ts'
import { Amount } from './amount.tsx'
import { Breakable } from './breakable.tsx'
import { AddressLink, AssetLink, PriceSourceLink, TransactionLink } from './links.tsx'
import { Moment } from './moment.tsx'
import { type Column, Table } from './table.tsx'

/** The event of the contract; a state-driven protocol may have none. */
function eventNameOf({ metadata }: Activity): string {
  return 'event' in metadata && typeof metadata.event === 'string' ? metadata.event : ''
}

/** Longer names of events may break: with them, the table would be wider than a page. */
const LONGEST_WHOLE_NAME = 20

const WHAT: readonly Column<Activity>[] = [
  { title: 'What', cell: ({ activity_type }) => labelOf(activity_type) },
  {
    title: 'Event',
    cell: (activity) => {
      const name = eventNameOf(activity)
      return (
        <code class={name.length <= LONGEST_WHOLE_NAME ? 'unbroken' : undefined}>
          <Breakable text={name} />
        </code>
      )
    },
  },
  { title: 'Direction', cell: directionOf },
]

/** What moved and what it was worth. Empty where nothing moved, as in a change of settings. */
const movedOf = (nameOf: NameOf, here: string | undefined): readonly Column<Activity>[] => [
  {
    title: 'Amount',
    cell: ({ amount, asset_id }) => asset_id !== '' && <Amount of={amount} />,
    isNumber: true,
  },
  { title: 'Asset', cell: ({ asset_id, asset_symbol }) => asset_id !== '' && <AssetLink assetId={asset_id} symbol={asset_symbol} /> },
  {
    title: 'Value',
    cell: ({ asset_id, usd_value }) => asset_id !== '' && <span title={usd_value ?? ''}>{numbers.usd(usd_value)}</span>,
    isNumber: true,
  },
  {
    title: 'Price',
    cell: ({ asset_id, price_usd, price_source }) =>
      asset_id !== '' && (
        <>
          {numbers.price(price_usd)} <PriceSourceLink source={price_source} nameOf={nameOf} here={here} />
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
  readonly nameOf?: NameOf
  /** Contract of the pool that all of them are of. */
  readonly here?: string | undefined
}

export function ActivitiesTable({ label, activities, isOneTransaction = false, nameOf = () => undefined, here }: ActivitiesTableProps) {
  const account: Column<Activity> = { title: 'Account', cell: ({ address }) => <AddressLink address={address} name={nameOf(address)} /> }
  const pool: Column<Activity> = { title: 'Pool', cell: ({ contract }) => <AddressLink address={contract} name={nameOf(contract)} /> }
  const rest = [account, ...WHAT, ...movedOf(nameOf, here)]
  return <Table label={label} columns={isOneTransaction ? [...rest, pool] : [TIME, ...rest]} rows={activities} keyOf={({ id }) => id} />
}
