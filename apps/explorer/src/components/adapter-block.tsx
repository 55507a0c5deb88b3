// The adapter of a protocol: whether it works, and how far it is behind its source.

import type { IndexAdapter } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { times } from '../format/time.ts'
import { INDEX_PATH } from '../paths.ts'
import { Block } from './block.tsx'
import { Figures } from './figures.tsx'
import { LedgerLink } from './links.tsx'
import { Moment } from './moment.tsx'
import { StatusMark } from './status-mark.tsx'

/** What each status says of the slowest partition. */
const MEANINGS: Readonly<Record<IndexAdapter['adapter']['status'], string>> = {
  healthy: 'at most a minute behind its source',
  catching_up: 'more than a minute behind its source, with progress',
  stalled: 'no progress or report for a minute',
  failing: 'the last attempt failed, or ledgers are missing',
  missing: 'no adapter has reported',
}

export function AdapterBlock({ protocol }: { readonly protocol: string }) {
  const found = (adapters: readonly IndexAdapter[]): IndexAdapter | undefined =>
    adapters.find(({ protocol_id }) => protocol_id === protocol)
  return (
    <Block
      title="Adapter"
      call={apiCall('service', 'index')}
      lines={5}
      shape="tall-figures"
      empty={({ data }) => (found(data.adapters) === undefined ? 'The index has no adapter of this protocol.' : null)}
    >
      {({ data }) => {
        const own = found(data.adapters)
        return own !== undefined && <Adapter {...own} />
      }}
    </Block>
  )
}

function Adapter({ adapter, lag_ledgers, lag_seconds, partitions }: IndexAdapter) {
  const unhealthy = partitions.filter(({ status }) => status !== 'healthy').length
  return (
    <>
      <Figures
        figures={[
          { name: 'Status', value: <StatusMark status={adapter.status} />, note: MEANINGS[adapter.status] },
          {
            name: 'Stored up to',
            value: <LedgerLink ledger={adapter.last_sync_ledger} />,
            note:
              adapter.last_sync_at === null ? (
                'no report yet'
              ) : (
                <>
                  progress <Moment at={adapter.last_sync_at} />
                </>
              ),
          },
          {
            name: 'Behind its source',
            value: numbers.count(lag_ledgers, 'ledger'),
            note: lag_seconds === 0 ? 'no lag' : times.span(lag_seconds),
          },
          {
            name: 'Partitions',
            value: numbers.whole(partitions.length),
            note: <a href={INDEX_PATH}>{unhealthy === 0 ? 'all of them healthy' : `${numbers.whole(unhealthy)} not healthy`}</a>,
          },
          { name: 'Contracts', value: numbers.whole(adapter.contracts_tracked), note: `adapter version ${adapter.version || NO_VALUE}` },
        ]}
      />
      {adapter.error !== null && <p class="bad">{adapter.error}</p>}
    </>
  )
}
