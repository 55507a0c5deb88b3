// A pool: what it holds, its value, volume and yields over time, and what only its type has.

import { apiCall } from '../api/api-call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Block } from '../components/block.tsx'
import { Chart } from '../components/chart.tsx'
import { LendingReservesBlock } from '../components/lending-reserves-block.tsx'
import { Page } from '../components/page.tsx'
import { PoolActivitiesBlock } from '../components/pool-activities-block.tsx'
import { PoolDetails } from '../components/pool-details.tsx'
import { PoolPositionsBlock } from '../components/pool-positions-block.tsx'
import { shortened } from '../format/address.ts'
import { numbers } from '../format/number.ts'

export function PoolPage({ pool }: { readonly pool: string }) {
  const call = apiCall('pools', 'get', pool)
  // The block below makes the same call, and both share the answer.
  const known = useAnswer(call).answer?.data
  return (
    <Page title={known?.name || shortened(pool)} kind="Pool" id={pool}>
      <Block title="Composition" call={call} lines={10} fills="any">
        {({ data, enrichment }) => <PoolDetails pool={data} enrichment={enrichment} />}
      </Block>
      <HistoryBlock pool={pool} />
      {known?.type === 'lending' && <LendingReservesBlock protocol={known.protocol} pool={known.contract} />}
      {known !== undefined && <PoolPositionsBlock pool={known} />}
      <PoolActivitiesBlock pool={pool} />
    </Page>
  )
}

function HistoryBlock({ pool }: { readonly pool: string }) {
  return (
    <Block
      title="30 days"
      call={apiCall('pools', 'history', pool, { range: '30d' })}
      lines={10}
      empty={({ data }) => (data.points.length === 0 ? 'The pool has no value in the last 30 days.' : null)}
    >
      {({ data: { points } }) => {
        const hasVolume = points.some(({ volume_usd }) => volume_usd !== null)
        const hasYield = points.some(({ fee_apy }) => fee_apy !== null)
        return (
          <div class="charts">
            <Chart label="TVL" points={points.map(({ timestamp, tvl_usd }) => ({ at: timestamp, value: tvl_usd }))} />
            {hasVolume && (
              <Chart
                label="Volume"
                kind="bars"
                points={points.map(({ timestamp, volume_usd }) => ({ at: timestamp, value: volume_usd }))}
              />
            )}
            {hasYield && (
              <Chart
                label="Fee APY"
                format={numbers.percent}
                axisFormat={numbers.percent}
                points={points.map(({ timestamp, fee_apy }) => ({ at: timestamp, value: fee_apy }))}
              />
            )}
          </div>
        )
      }}
    </Block>
  )
}
