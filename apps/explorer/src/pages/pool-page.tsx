// A pool: what it holds, its value, volume and yields over time, its largest positions, and what only its type has.

import { apiCall } from '../api/api-call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { AuctionsBlock } from '../components/auctions-block.tsx'
import { Block } from '../components/block.tsx'
import { InterestCurves } from '../components/interest-curves.tsx'
import { LendingReservesBlock } from '../components/lending-reserves-block.tsx'
import { LiquidityPicture } from '../components/liquidity-picture.tsx'
import { Page } from '../components/page.tsx'
import { PoolActivitiesBlock } from '../components/pool-activities-block.tsx'
import { PoolDetails } from '../components/pool-details.tsx'
import { PoolHistoryBlock } from '../components/pool-history-block.tsx'
import { PoolPositionsBlock } from '../components/pool-positions-block.tsx'
import { shortened } from '../format/address.ts'

export function PoolPage({ pool }: { readonly pool: string }) {
  const call = apiCall('pools', 'get', pool)
  // The blocks below make the same call, and all share the answer.
  const known = useAnswer(call).answer?.data
  return (
    <Page title={known?.name || shortened(pool)} isNamedLater kind="Pool" id={pool}>
      <Block title="Composition" call={call} lines={10} fills="any">
        {({ data, enrichment }) => <PoolDetails pool={data} enrichment={enrichment} />}
      </Block>
      {known?.type === 'concentrated' && known.metadata.concentrated !== null && (
        <Block title="Liquidity by price" call={call} lines={8}>
          {({ data }) =>
            data.type === 'concentrated' &&
            data.metadata.concentrated !== null && <LiquidityPicture tokens={data.tokens} state={data.metadata.concentrated} />
          }
        </Block>
      )}
      <PoolHistoryBlock pool={pool} lent={known?.type === 'lending' ? known.reserves : []} />
      {known?.type === 'lending' && (
        <>
          <Block title="Interest" call={call} lines={8}>
            {({ data }) => data.type === 'lending' && <InterestCurves reserves={data.reserves} configs={data.metadata.reserves} />}
          </Block>
          <LendingReservesBlock protocol={known.protocol} pool={known.contract} />
          <AuctionsBlock pool={pool} contract={known.contract} />
        </>
      )}
      {known !== undefined && (
        <>
          <PoolPositionsBlock pool={known} />
          {/* The page of a lending pool is long enough. */}
          <PoolActivitiesBlock pool={pool} contract={known.contract} rows={known.type === 'lending' ? 5 : 10} />
        </>
      )}
    </Page>
  )
}
