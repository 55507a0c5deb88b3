// An asset: its price, where the price comes from, the price over time, and the pools that hold it.

import { apiCall } from '../api/api-call.ts'
import { contractNames } from '../api/contract-names.ts'
import { RANGES } from '../api/time-range.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useWindow } from '../api/use-window.ts'
import { Block } from '../components/block.tsx'
import { Chart } from '../components/chart.tsx'
import { Figures } from '../components/figures.tsx'
import { AddressLink, PriceSourceLink } from '../components/links.tsx'
import { Moment } from '../components/moment.tsx'
import { Page } from '../components/page.tsx'
import { PoolsTable } from '../components/pools-table.tsx'
import { RangeControl } from '../components/range-control.tsx'
import { Table } from '../components/table.tsx'
import { labelOf, shortened } from '../format/address.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { useChoice } from '../use-parameter.ts'

export function AssetPage({ asset }: { readonly asset: string }) {
  const call = apiCall('assets', 'get', asset)
  const known = useAnswer(call).answer?.data
  const isShare = known?.tags.includes('lp_share') ?? false
  return (
    <Page title={known?.symbol || shortened(asset)} isNamedLater kind="Asset" id={asset}>
      <Block title="Price" call={call} lines={5} shape="figures" isUneven>
        {({ data, enrichment }) => (
          <Figures
            figures={[
              {
                name: 'Price',
                value: <span title={data.price_usd ?? ''}>{numbers.price(data.price_usd)}</span>,
                note: <PriceSourceLink source={data.price_source} nameOf={contractNames(enrichment)} />,
              },
              {
                name: 'Observed',
                value: <Moment at={data.price_observed_at} />,
                note: data.price_usd === null ? undefined : 'by the source of the price',
              },
              { name: 'Decimals', value: data.decimals === null ? 'unknown' : numbers.whole(data.decimals) },
              { name: 'Issuer', value: data.issuer === null ? NO_VALUE : <AddressLink address={data.issuer} /> },
              { name: 'Kind', value: data.tags.map(labelOf).join(', ') || NO_VALUE },
            ]}
          />
        )}
      </Block>
      <PriceHistoryBlock asset={asset} />
      <Block
        title="Pools"
        call={apiCall('pools', 'list', { asset, limit: 25 })}
        lines={6}
        empty={({ data }) =>
          data.pools.length > 0 ? null : isShare ? 'It is a share of a pool, and no pool holds it.' : 'No pool holds this asset.'
        }
      >
        {({ data }) => <PoolsTable pools={data.pools} />}
      </Block>
    </Page>
  )
}

function PriceHistoryBlock({ asset }: { readonly asset: string }) {
  const [range, setRange] = useChoice('range', RANGES, '30d')
  const window = useWindow(range)
  return (
    <Block
      title="Price over time"
      call={window === null ? null : apiCall('assets', 'priceHistory', asset, window)}
      controls={<RangeControl about="the price" choices={RANGES} chosen={range} onChoose={setRange} />}
      shape="chart"
      isUneven
      keepPrevious
      empty={({ data }) => (data.points.every(({ price_usd }) => price_usd === null) ? 'The asset had no price in this time.' : null)}
    >
      {({ data: { points }, enrichment }) => (
        <>
          <Chart
            label="Price"
            format={(value) => numbers.price(value === null ? null : String(value))}
            points={points.map(({ timestamp, price_usd }) => ({ at: timestamp, value: price_usd }))}
          />
          <h3>Sources</h3>
          <Table
            label="Sources"
            rows={sourcesOf(points)}
            keyOf={({ source }) => source}
            columns={[
              { title: 'Source', cell: ({ source }) => <PriceSourceLink source={source} nameOf={contractNames(enrichment)} /> },
              { title: 'Points of the chart', cell: ({ count }) => numbers.whole(count), isNumber: true },
              { title: 'Last price', cell: ({ price }) => numbers.price(price), isNumber: true },
              { title: 'Observed', cell: ({ observedAt }) => <Moment at={observedAt} /> },
            ]}
          />
        </>
      )}
    </Block>
  )
}

interface UsedSource {
  readonly source: string
  /** Points of the history with this source. */
  readonly count: number
  readonly price: string | null
  readonly observedAt: string | null
}

interface PricePoint {
  readonly price_source: string | null
  readonly price_usd: string | null
  readonly observed_at: string | null
}

/** Sources of a history, the last one first. */
function sourcesOf(points: readonly PricePoint[]): UsedSource[] {
  const found = new Map<string, UsedSource>()
  for (const { price_source: source, price_usd: price, observed_at: observedAt } of points) {
    if (source === null) continue
    const count = (found.get(source)?.count ?? 0) + 1
    found.delete(source)
    found.set(source, { source, count, price, observedAt })
  }
  return [...found.values()].reverse()
}
