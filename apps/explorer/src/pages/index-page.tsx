// The index itself: its adapters and partitions, how far each is, and what the last verification found.

import type { GetIndexResponse, Verdict } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { Block } from '../components/block.tsx'
import { Figures } from '../components/figures.tsx'
import { IndexSummary } from '../components/index-summary.tsx'
import { LedgerLink } from '../components/links.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { Table } from '../components/table.tsx'
import { labelOf } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { protocolName } from '../format/protocol-name.ts'
import { protocolPath } from '../paths.ts'

type Index = GetIndexResponse['data']

export function IndexPage() {
  const call = apiCall('service', 'index')
  return (
    <Page title="Index">
      <Block title="State" call={call} lines={14} fills="any">
        {({ data }) => (
          <>
            <IndexSummary index={data} />
            <Adapters index={data} />
          </>
        )}
      </Block>
      <Block
        title="Last verification"
        call={call}
        lines={5}
        empty={({ data }) =>
          data.verify === null ? 'The index was not verified yet. The command “orrery verify” compares it with its source.' : null
        }
      >
        {({ data }) => data.verify !== null && <Verification verdict={data.verify} />}
      </Block>
      <Block
        title="Notices"
        call={call}
        lines={3}
        empty={({ data }) =>
          data.adapters.every(({ notices }) => notices.length === 0) ? 'Every record that the adapters read could be used.' : null
        }
      >
        {({ data }) => <Notices index={data} />}
      </Block>
      <Block title="Service" call={apiCall('service', 'health')} lines={4}>
        {({ data }) => (
          <Figures
            figures={[
              { name: 'Service', value: <StatusMark status={data.status} /> },
              { name: 'Database', value: <StatusMark status={data.database} /> },
              { name: 'Cache', value: <StatusMark status={data.cache} /> },
              {
                name: 'Stellar protocol version',
                value: data.network_protocol === null ? NO_VALUE : numbers.whole(data.network_protocol.version),
                note: data.network_protocol === null ? undefined : `this build supports up to ${data.network_protocol.supported_up_to}`,
              },
            ]}
          />
        )}
      </Block>
    </Page>
  )
}

function Adapters({ index }: { readonly index: Index }) {
  return (
    <>
      <h3>Adapters</h3>
      <Table
        label="Adapters"
        rows={index.adapters}
        keyOf={({ protocol_id }) => protocol_id}
        columns={[
          { title: 'Protocol', cell: ({ protocol_id }) => <a href={protocolPath(protocol_id)}>{protocolName(protocol_id)}</a> },
          { title: 'Status', cell: ({ adapter }) => <StatusMark status={adapter.status} /> },
          { title: 'Last ledger', cell: ({ adapter }) => <LedgerLink ledger={adapter.last_sync_ledger} />, isNumber: true },
          { title: 'Lag', cell: ({ lag_ledgers }) => numbers.count(lag_ledgers, 'ledger'), isNumber: true },
          { title: 'Version', cell: ({ adapter }) => adapter.version || NO_VALUE, isNumber: true },
          { title: 'Index version', cell: ({ adapter }) => numbers.whole(adapter.index_version), isNumber: true },
          {
            title: 'Replay',
            cell: ({ adapter: { replay } }) =>
              replay === null ? 'none' : `version ${replay.version} at ledger ${numbers.whole(replay.last_sync_ledger)}`,
          },
          { title: 'Contracts', cell: ({ adapter }) => numbers.whole(adapter.contracts_tracked), isNumber: true },
          { title: 'Error', cell: ({ adapter }) => adapter.error ?? 'none' },
        ]}
      />
      <h3>Partitions</h3>
      <Table
        label="Partitions"
        rows={index.adapters.flatMap(({ protocol_id, partitions }) => partitions.map((partition) => ({ protocol_id, ...partition })))}
        keyOf={({ protocol_id, partition }) => `${protocol_id} ${partition}`}
        columns={[
          { title: 'Partition', cell: ({ protocol_id, partition }) => `${protocolName(protocol_id)} ${partition}` },
          {
            title: 'Status',
            cell: ({ status, gap }) => (
              <>
                <StatusMark status={status} />
                {gap !== null && (
                  <span class="note">
                    gap {numbers.whole(gap.from_ledger)} to {numbers.whole(gap.to_ledger)}
                  </span>
                )}
              </>
            ),
          },
          { title: 'Stored up to', cell: ({ checkpoint_ledger }) => <LedgerLink ledger={checkpoint_ledger} />, isNumber: true },
          { title: 'Closed', cell: ({ checkpoint_at }) => <Moment at={checkpoint_at} />, isWide: true },
          { title: 'Lag', cell: ({ lag_ledgers }) => numbers.count(lag_ledgers, 'ledger'), isNumber: true, isWide: true },
        ]}
      />
    </>
  )
}

function Verification({ verdict }: { readonly verdict: Verdict }) {
  return (
    <>
      <Figures
        figures={[
          { name: 'Verdict', value: <StatusMark status={verdict.verdict} />, note: <Moment at={verdict.finished_at} /> },
          { name: 'Differences', value: numbers.whole(verdict.differences) },
          { name: 'Ledgers', value: `${numbers.whole(verdict.from_ledger)} to ${numbers.whole(verdict.to_ledger)}` },
        ]}
      />
      <Table
        label="Checks"
        rows={verdict.checks}
        keyOf={({ check }) => check}
        columns={[
          { title: 'Check', cell: ({ check }) => labelOf(check) },
          { title: 'Result', cell: ({ status }) => <StatusMark status={status} /> },
        ]}
      />
    </>
  )
}

function Notices({ index }: { readonly index: Index }) {
  return (
    <Table
      label="Notices"
      rows={index.adapters.flatMap(({ protocol_id, notices }) => notices.map((notice) => ({ protocol_id, ...notice })))}
      keyOf={({ protocol_id, kind, reason }) => `${protocol_id} ${kind} ${reason}`}
      columns={[
        { title: 'Protocol', cell: ({ protocol_id }) => protocolName(protocol_id) },
        { title: 'Kind', cell: ({ kind }) => labelOf(kind) },
        { title: 'Reason', cell: ({ reason }) => reason },
        { title: 'Count', cell: ({ count }) => numbers.whole(count), isNumber: true },
        { title: 'First ledger', cell: ({ first_ledger }) => <LedgerLink ledger={first_ledger} />, isNumber: true },
        { title: 'Last ledger', cell: ({ last_ledger }) => <LedgerLink ledger={last_ledger} />, isNumber: true },
      ]}
    />
  )
}
