// How far the index is: its ledgers and the status of every adapter, in two lines.

import type { Index } from '@orrery/client'
import { NO_VALUE, numbers } from '../format/number.ts'
import { times } from '../format/time.ts'
import { INDEX_PATH } from '../paths.ts'
import { Figures } from './figures.tsx'
import { LedgerLink } from './links.tsx'
import { Moment } from './moment.tsx'
import { StatusMark } from './status-mark.tsx'

export function IndexSummary({ index }: { readonly index: Index }) {
  const slowest = index.adapters.reduce((most, { lag_seconds }) => Math.max(most, lag_seconds), 0)
  const worst = index.adapters.find(({ adapter }) => adapter.status !== 'healthy')?.adapter.status ?? 'healthy'
  return (
    <Figures
      figures={[
        { name: 'Network', value: index.network },
        { name: 'Last ledger', value: <LedgerLink ledger={index.last_ledger} />, note: <Moment at={index.last_ledger_at} /> },
        { name: 'First ledger', value: index.first_ledger === null ? NO_VALUE : numbers.whole(index.first_ledger) },
        {
          name: 'Adapters',
          value: <StatusMark status={worst} />,
          note: <a href={INDEX_PATH}>{slowest === 0 ? 'no lag' : `up to ${times.span(slowest)} behind`}</a>,
        },
      ]}
    />
  )
}
