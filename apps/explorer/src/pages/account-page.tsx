// An account, or a contract that holds positions: totals, net worth, positions in all protocols, and what it did, now or as of any ledger.

import type { GetPortfolioResponse } from '@orrery/client'
import { type ApiCall, apiCall } from '../api/api-call.ts'
import { RANGES } from '../api/time-range.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useWindow } from '../api/use-window.ts'
import { ActionsBlock } from '../components/actions-block.tsx'
import { Block } from '../components/block.tsx'
import { Chart } from '../components/chart.tsx'
import { Figures } from '../components/figures.tsx'
import { LedgerSlider } from '../components/ledger-slider.tsx'
import { LiveBlock } from '../components/live-block.tsx'
import { Options } from '../components/options.tsx'
import { Page } from '../components/page.tsx'
import { ProtocolPositionsView } from '../components/protocol-positions.tsx'
import { RangeControl } from '../components/range-control.tsx'
import { HealthFactor, PositionHealth } from '../components/status-mark.tsx'
import { WhatIfPools } from '../components/what-if.tsx'
import { shortened } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { PROTOCOL_NAMES } from '../format/protocol-name.ts'
import { useChoice, useParameter } from '../use-parameter.ts'

export function AccountPage({ address }: { readonly address: string }) {
  const [text, setLedger] = useParameter('ledger')
  const ledger = ledgerOf(text)
  const index = useAnswer(apiCall('service', 'index')).answer?.data
  const past = useAnswer(ledger === null ? null : apiCall('service', 'ledger', ledger))
  // A ledger that the index does not have has no close time; its answers have warnings.
  const closedAt = ledger === null || past.error !== null ? null : past.answer?.data.timestamp
  const bounds =
    index === undefined || index.first_ledger === null || index.last_ledger === null
      ? null
      : { first: index.first_ledger, last: index.last_ledger, lastClosedAt: index.last_ledger_at }
  return (
    <Page title={shortened(address)} kind={address.startsWith('C') ? 'Contract as a holder' : 'Account'} id={address}>
      <LedgerSlider
        bounds={bounds}
        ledger={ledger}
        closedAt={closedAt}
        onChange={(chosen) => setLedger(chosen === null ? null : String(chosen))}
      />
      <TotalsBlock address={address} ledger={ledger} />
      <NetWorthBlock address={address} ledger={ledger} closedAt={closedAt} />
      {ledger === null && <LiveBlock key={address} query={{ addresses: [address] }} />}
      <ActionsBlock address={address} ledger={ledger} />
    </Page>
  )
}

/** Null for the newest ledger, and for a text that is no ledger. */
function ledgerOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null
}

/** The portfolio as of a ledger, as an answer of the same shape as the portfolio now. */
function portfolioCall(address: string, ledger: number | null): ApiCall<GetPortfolioResponse> {
  if (ledger === null) return apiCall('accounts', 'portfolio', address)
  const call = apiCall('accounts', 'portfolios', [address], { as_of_ledger: ledger })
  return {
    ...call,
    async send(client) {
      const { data, ...rest } = await call.send(client)
      const [portfolio] = data.portfolios
      if (portfolio === undefined) throw new Error('The answer has no portfolio.')
      return { ...rest, data: portfolio as GetPortfolioResponse['data'] }
    },
  }
}

interface AsOf {
  readonly address: string
  /** Null: the newest one. */
  readonly ledger: number | null
}

function TotalsBlock({ address, ledger }: AsOf) {
  return (
    <Block title="Positions" call={portfolioCall(address, ledger)} asOf={ledger} lines={12} fills="any" keepPrevious>
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
                value: <SmallestHealth portfolio={data} />,
                note: 'below 1 a position can be liquidated',
              },
              {
                name: 'Net APY',
                value: numbers.percent(data.aggregate_net_apy),
                note: `${numbers.percent(data.aggregate_net_apy_with_rewards)} with rewards`,
              },
            ]}
          />
          {data.protocols.length === 0 && (
            <p class="empty">
              {ledger === null
                ? 'This account has no position and no reward in a protocol of this index.'
                : 'This account had no position and no reward in a protocol of this index at that ledger.'}
            </p>
          )}
          {data.protocols.map((positions) => (
            <ProtocolPositionsView key={positions.protocol_id} positions={positions} enrichment={enrichment} />
          ))}
          <WhatIfPools address={address} ledger={ledger} protocols={data.protocols} />
        </>
      )}
    </Block>
  )
}

/** With the mark of the pool that has it, whose debt may be bad. */
function SmallestHealth({ portfolio }: { readonly portfolio: GetPortfolioResponse['data'] }) {
  const { aggregate_health_factor: smallest, protocols } = portfolio
  const weakest = protocols.flatMap(({ pools }) => pools).find(({ health_factor }) => health_factor !== null && health_factor === smallest)
  const hasDebt = protocols.some(({ borrowed_usd }) => Number(borrowed_usd) > 0)
  return weakest === undefined ? (
    <HealthFactor value={smallest} none={hasDebt ? NO_VALUE : 'no debt'} />
  ) : (
    <PositionHealth position={weakest} />
  )
}

const ALL = 'all'
const PARTS = { [ALL]: 'All protocols', ...PROTOCOL_NAMES } as const
type Part = keyof typeof PARTS

function NetWorthBlock({ address, ledger, closedAt }: AsOf & { readonly closedAt: string | null | undefined }) {
  const [range, setRange] = useChoice('range', RANGES, '30d')
  const [protocol, setProtocol] = useChoice('of', PARTS, ALL)
  const window = useWindow(range, ledger === null ? null : closedAt)
  const controls = (
    <div class="controls">
      <label>
        Of
        <select value={protocol} onChange={({ currentTarget: { value } }) => setProtocol(value as Part)} aria-label="Net worth of">
          <Options of={PARTS} />
        </select>
      </label>
      <RangeControl about="the net worth" choices={RANGES} chosen={range} onChoose={setRange} />
    </div>
  )
  return (
    <Block
      title="Net worth"
      call={window === null ? null : apiCall('accounts', 'history', address, window)}
      asOf={ledger}
      controls={controls}
      shape="chart"
      keepPrevious
      empty={({ data }) => (data.points.length === 0 ? 'The account had no position in this time.' : null)}
    >
      {({ data }) => (
        <Chart
          label="Net worth"
          points={data.points.map(({ timestamp, net_usd, by_protocol }) => ({
            at: timestamp,
            value: protocol === ALL ? net_usd : by_protocol[protocol],
          }))}
        />
      )}
    </Block>
  )
}
