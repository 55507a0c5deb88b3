// An account, or a contract that holds positions: totals, net worth, positions in all protocols, and what it did.

import { apiCall } from '../api/api-call.ts'
import { ActionsBlock } from '../components/actions-block.tsx'
import { Block } from '../components/block.tsx'
import { Chart } from '../components/chart.tsx'
import { Figures } from '../components/figures.tsx'
import { Page } from '../components/page.tsx'
import { ProtocolPositionsView } from '../components/protocol-positions.tsx'
import { HealthFactor } from '../components/status-mark.tsx'
import { shortened } from '../format/address.ts'
import { numbers } from '../format/number.ts'

export function AccountPage({ address }: { readonly address: string }) {
  return (
    <Page title={shortened(address)} kind={address.startsWith('C') ? 'Contract as a holder' : 'Account'} id={address}>
      <TotalsBlock address={address} />
      <NetWorthBlock address={address} />
      <ActionsBlock address={address} />
    </Page>
  )
}

function TotalsBlock({ address }: { readonly address: string }) {
  return (
    <Block title="Positions" call={apiCall('accounts', 'portfolio', address)} lines={12} fills="any">
      {({ data, enrichment }) => (
        <>
          <Figures
            figures={[
              {
                name: 'Net worth',
                value: <span title={data.total_value_usd}>{numbers.usd(data.total_value_usd)}</span>,
                note: 'deposits minus debts',
              },
              { name: 'Rewards to claim', value: numbers.usd(data.total_claimable_usd), note: 'not part of the net worth' },
              {
                name: 'Smallest health factor',
                value: <HealthFactor value={data.aggregate_health_factor} text={numbers.ratio(data.aggregate_health_factor)} />,
                note: 'below 1 a position can be liquidated',
              },
              {
                name: 'Net APY',
                value: numbers.percent(data.aggregate_net_apy),
                note: `${numbers.percent(data.aggregate_net_apy_with_rewards)} with rewards`,
              },
            ]}
          />
          {data.protocols.length === 0 && <p class="empty">This account has no position and no reward in a protocol of this index.</p>}
          {data.protocols.map((positions) => (
            <ProtocolPositionsView key={positions.protocol_id} positions={positions} enrichment={enrichment} />
          ))}
        </>
      )}
    </Block>
  )
}

function NetWorthBlock({ address }: { readonly address: string }) {
  return (
    <Block
      title="Net worth, 30 days"
      call={apiCall('accounts', 'history', address, { range: '30d' })}
      lines={10}
      empty={({ data }) => (data.points.length === 0 ? 'The account had no position in the last 30 days.' : null)}
    >
      {({ data }) => <Chart label="Net worth" points={data.points.map(({ timestamp, net_usd }) => ({ at: timestamp, value: net_usd }))} />}
    </Block>
  )
}
