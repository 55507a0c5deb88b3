// What an account did: one sentence for each action, by pages, and all of it as CSV.

import type { Action } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { isOfReceived } from '../format/action-value.ts'
import { numbers } from '../format/number.ts'
import { protocolName } from '../format/protocol-name.ts'
import { protocolPath } from '../paths.ts'
import { Block } from './block.tsx'
import { CsvButton } from './csv-button.tsx'
import { LedgerLink, TransactionLink } from './links.tsx'
import { Moment } from './moment.tsx'
import { Pager, useTrail } from './pager.tsx'
import { type Column, Table } from './table.tsx'

const PAGE_OF_ACTIONS = 20

const NOTHING = {
  ever: 'This account did nothing in a protocol of this index.',
  before: 'This account did nothing in a protocol of this index up to that ledger.',
} as const

const COLUMNS: readonly Column<Action>[] = [
  { title: 'Time', cell: ({ timestamp }) => <Moment at={timestamp} /> },
  {
    title: 'Action',
    cell: ({ summary, tx_hash }) => <TransactionLink hash={tx_hash}>{summary}</TransactionLink>,
    isLine: true,
    isPlain: true,
  },
  { title: 'Value', cell: (action) => <ActionValue action={action} />, isNumber: true },
  { title: 'Protocol', cell: ({ protocol }) => <a href={protocolPath(protocol)}>{protocolName(protocol)}</a>, isWide: true },
  { title: 'Ledger', cell: ({ ledger }) => <LedgerLink ledger={ledger} />, isNumber: true, isWide: true },
]

function ActionValue({ action }: { readonly action: Action }) {
  const { usd_value } = action
  return (
    <>
      <span title={usd_value ?? ''}>{numbers.usd(usd_value)}</span>
      {isOfReceived(action) && <span class="note">received</span>}
    </>
  )
}

interface ActionsBlockProps {
  readonly address: string
  /** Only actions up to this ledger. Null: all. */
  readonly ledger: number | null
}

export function ActionsBlock({ address, ledger }: ActionsBlockProps) {
  const trail = useTrail(`${address} ${ledger}`)
  const call = apiCall('accounts', 'actions', address, {
    limit: PAGE_OF_ACTIONS,
    ...(ledger !== null && { to_ledger: ledger }),
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  const upTo = ledger === null ? '' : `?to_ledger=${ledger}`
  return (
    <Block
      title="Actions"
      call={call}
      asOf={ledger}
      controls={<CsvButton path={`/v1/users/${address}/actions${upTo}`} fileName={`actions-${address}.csv`} />}
      lines={PAGE_OF_ACTIONS}
      keepPrevious
      empty={({ data }) => (data.actions.length === 0 ? NOTHING[ledger === null ? 'ever' : 'before'] : null)}
    >
      {({ data }) => (
        <>
          <Table label="Actions" columns={COLUMNS} rows={data.actions} keyOf={({ id }) => id} />
          <Pager trail={trail} nextCursor={data.next_cursor} about="actions" />
        </>
      )}
    </Block>
  )
}
