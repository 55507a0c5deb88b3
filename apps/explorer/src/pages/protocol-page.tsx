// A protocol: its adapter, its value over time, its volume, its pools and its emissions.

import { apiCall } from '../api/api-call.ts'
import { DAY_RANGES } from '../api/time-range.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useStart } from '../api/use-window.ts'
import { AdapterBlock } from '../components/adapter-block.tsx'
import { Block } from '../components/block.tsx'
import { Chart } from '../components/chart.tsx'
import { AssetLink, PoolLink } from '../components/links.tsx'
import { LiveBlock } from '../components/live-block.tsx'
import { Page } from '../components/page.tsx'
import { PoolsBlock } from '../components/pools-block.tsx'
import { RangeControl } from '../components/range-control.tsx'
import { Table } from '../components/table.tsx'
import { VolumeBlock } from '../components/volume-block.tsx'
import { numbers } from '../format/number.ts'
import { type ProtocolId, protocolName } from '../format/protocol-name.ts'
import { emissionsOf, emittedSymbol } from '../pools/emissions.ts'
import { useChoice } from '../use-parameter.ts'

export function ProtocolPage({ protocol }: { readonly protocol: string }) {
  const known = useAnswer(apiCall('protocols', 'list')).answer?.data.protocols.find(({ protocol_id }) => protocol_id === protocol)
  return (
    <Page title={known?.display_name ?? protocolName(protocol)} kind="Protocol">
      <AdapterBlock protocol={protocol} />
      <TvlBlock protocol={protocol} />
      {/* The API refuses an unknown protocol, as the block above shows. */}
      <VolumeBlock protocol={protocol as ProtocolId} />
      <PoolsBlock protocol={protocol as ProtocolId} lines={10} />
      <LiveBlock key={protocol} query={{ protocols: [protocol] }} />
      <EmissionsBlock protocol={protocol} />
    </Page>
  )
}

/** Without a start the API gives 30 days. */
function TvlBlock({ protocol }: { readonly protocol: string }) {
  const [range, setRange] = useChoice('range', DAY_RANGES, '30d')
  const start = useStart(range === '30d' ? null : range)
  const query = range === '30d' ? {} : start === null ? null : { from: start }
  return (
    <Block
      title="TVL"
      call={query === null ? null : apiCall('protocols', 'tvl', protocol, query)}
      controls={<RangeControl about="the TVL" choices={DAY_RANGES} chosen={range} onChoose={setRange} />}
      shape="chart"
      keepPrevious
      empty={({ data }) => (data.points.length === 0 ? 'The protocol has no value in this time.' : null)}
    >
      {({ data }) => <Chart label="TVL" points={data.points.map(({ timestamp, tvl_usd }) => ({ at: timestamp, value: tvl_usd }))} />}
    </Block>
  )
}

function EmissionsBlock({ protocol }: { readonly protocol: string }) {
  return (
    <Block
      title="Emissions"
      call={apiCall('protocols', 'emissions', protocol)}
      lines={5}
      empty={({ data }) => (emissionsOf(data).length === 0 ? 'No pool of this protocol has emissions now.' : null)}
    >
      {({ data }) => (
        <Table
          label="Emissions"
          rows={emissionsOf(data)}
          keyOf={({ pool_id, asset_address }) => `${pool_id} ${asset_address}`}
          columns={[
            {
              title: 'Pool and asset',
              cell: ({ pool_id, pool_name, asset_address, symbol }) => (
                <>
                  <PoolLink poolId={pool_id} name={pool_name} /> · <AssetLink assetId={asset_address} symbol={symbol} />
                </>
              ),
            },
            { title: 'To suppliers, a year', cell: ({ supply_emission_apy }) => numbers.percent(supply_emission_apy), isNumber: true },
            {
              title: 'To suppliers per second',
              cell: (row) => `${numbers.amount(row.supply_tokens_per_second)} ${emittedSymbol(protocol, row)}`,
              isNumber: true,
            },
            { title: 'To borrowers, a year', cell: ({ borrow_emission_apy }) => numbers.percent(borrow_emission_apy), isNumber: true },
            {
              title: 'To borrowers per second',
              cell: (row) => `${numbers.amount(row.borrow_tokens_per_second)} ${emittedSymbol(protocol, row)}`,
              isNumber: true,
            },
          ]}
        />
      )}
    </Block>
  )
}
