// A ledger: when it closed, and its hash.

import { apiCall } from '../api/api-call.ts'
import { Block } from '../components/block.tsx'
import { Figures } from '../components/figures.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { numbers } from '../format/number.ts'

export function LedgerPage({ sequence }: { readonly sequence: string }) {
  const number = Number(sequence)
  const isNumber = /^\d{1,10}$/.test(sequence)
  return (
    <Page title={isNumber ? numbers.whole(number) : sequence} kind="Ledger">
      {isNumber ? (
        <Block title="Ledger" call={apiCall('service', 'ledger', number)} lines={3}>
          {({ data }) => (
            <Figures
              figures={[
                { name: 'Sequence', value: numbers.whole(data.ledger) },
                {
                  name: 'Closed',
                  value: <Moment at={data.timestamp} />,
                  note: <span class="unbroken">{data.timestamp}</span>,
                  isLine: true,
                },
                { name: 'Hash', value: <span class="mono id">{data.hash}</span>, isLine: true },
              ]}
            />
          )}
        </Block>
      ) : (
        <p class="empty">A ledger is a whole number.</p>
      )}
    </Page>
  )
}
