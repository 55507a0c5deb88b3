// What an account did: one sentence for each action, by pages, and all of it as CSV.

import type { Action } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
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

const COLUMNS: readonly Column<Action>[] = [
  { title: 'Time', cell: ({ timestamp }) => <Moment at={timestamp} /> },
  { title: 'Action', cell: ({ summary, tx_hash }) => <TransactionLink hash={tx_hash}>{summary}</TransactionLink> },
  { title: 'Value', cell: ({ usd_value }) => <span title={usd_value ?? ''}>{numbers.usd(usd_value)}</span>, isNumber: true },
  { title: 'Protocol', cell: ({ protocol }) => <a href={protocolPath(protocol)}>{protocolName(protocol)}</a>, isWide: true },
  { title: 'Ledger', cell: ({ ledger }) => <LedgerLink ledger={ledger} />, isNumber: true, isWide: true },
]

export function ActionsBlock({ address }: { readonly address: string }) {
  const trail = useTrail(address)
  const call = apiCall('accounts', 'actions', address, {
    limit: PAGE_OF_ACTIONS,
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  return (
    <Block
      title="Actions"
      call={call}
      controls={<CsvButton path={`/v1/users/${address}/actions`} fileName={`actions-${address}.csv`} />}
      lines={PAGE_OF_ACTIONS}
      keepPrevious
      empty={({ data }) => (data.actions.length === 0 ? 'This account did nothing in a protocol of this index.' : null)}
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
