// A protocol: its value over time, its pools and its emissions.

import type { GetEmissionsResponse } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { DAY_RANGES } from '../api/time-range.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useStart } from '../api/use-window.ts'
import { Block } from '../components/block.tsx'
import { Chart } from '../components/chart.tsx'
import { AssetLink, PoolLink } from '../components/links.tsx'
import { LiveBlock } from '../components/live-block.tsx'
import { Page } from '../components/page.tsx'
import { Pager, useTrail } from '../components/pager.tsx'
import { PoolsTable } from '../components/pools-table.tsx'
import { RangeControl } from '../components/range-control.tsx'
import { Table } from '../components/table.tsx'
import { numbers } from '../format/number.ts'
import { DEBT_PROTOCOL_NAMES, type ProtocolId, protocolName } from '../format/protocol-name.ts'
import { riskPath } from '../paths.ts'
import { useChoice } from '../use-parameter.ts'

const PAGE_OF_POOLS = 25

export function ProtocolPage({ protocol }: { readonly protocol: string }) {
  const known = useAnswer(apiCall('protocols', 'list')).answer?.data.protocols.find(({ protocol_id }) => protocol_id === protocol)
  return (
    <Page title={known?.display_name ?? protocolName(protocol)} kind="Protocol">
      <TvlBlock protocol={protocol} />
      {/* The API refuses an unknown protocol, as the block above shows. */}
      <PoolsBlock protocol={protocol as ProtocolId} />
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
      lines={10}
      keepPrevious
      empty={({ data }) => (data.points.length === 0 ? 'The protocol has no value in this time.' : null)}
    >
      {({ data }) => <Chart label="TVL" points={data.points.map(({ timestamp, tvl_usd }) => ({ at: timestamp, value: tvl_usd }))} />}
    </Block>
  )
}

function PoolsBlock({ protocol }: { readonly protocol: ProtocolId }) {
  const trail = useTrail(protocol)
  const call = apiCall('pools', 'list', {
    limit: PAGE_OF_POOLS,
    protocol,
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  return (
    <Block
      title="Pools"
      call={call}
      controls={Object.hasOwn(DEBT_PROTOCOL_NAMES, protocol) && <a href={riskPath(protocol)}>Positions at risk</a>}
      lines={10}
      keepPrevious
      empty={({ data }) => (data.pools.length === 0 ? 'No pool of this protocol is indexed.' : null)}
    >
      {({ data }) => (
        <>
          <PoolsTable pools={data.pools} isOneProtocol />
          <Pager trail={trail} nextCursor={data.next_cursor} about="pools" />
        </>
      )}
    </Block>
  )
}

function EmissionsBlock({ protocol }: { readonly protocol: string }) {
  // Blend names the asset whose suppliers and borrowers receive BLND; other protocols name the token that is paid.
  const tokenOf = (symbol: string): string => (protocol === 'blend' ? 'BLND' : symbol)
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
              cell: ({ supply_tokens_per_second, symbol }) => `${numbers.amount(supply_tokens_per_second)} ${tokenOf(symbol)}`,
              isNumber: true,
            },
            { title: 'To borrowers, a year', cell: ({ borrow_emission_apy }) => numbers.percent(borrow_emission_apy), isNumber: true },
            {
              title: 'To borrowers per second',
              cell: ({ borrow_tokens_per_second, symbol }) => `${numbers.amount(borrow_tokens_per_second)} ${tokenOf(symbol)}`,
              isNumber: true,
            },
          ]}
        />
      )}
    </Block>
  )
}

/** Pools and assets without emissions are left out. */
function emissionsOf({ pools }: GetEmissionsResponse['data']) {
  return pools
    .flatMap(({ pool_id, pool_name, assets }) => assets.map((asset) => ({ pool_id, pool_name, ...asset })))
    .filter(
      ({ supply_tokens_per_second, borrow_tokens_per_second }) => Number(supply_tokens_per_second) + Number(borrow_tokens_per_second) > 0,
    )
}
