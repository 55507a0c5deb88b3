// What accounts did in a pool, by pages.

import { apiCall } from '../api/api-call.ts'
import { ActivitiesTable } from './activities-table.tsx'
import { Block } from './block.tsx'
import { Pager, useTrail } from './pager.tsx'

const PAGE_OF_ACTIVITIES = 10

export function PoolActivitiesBlock({ pool }: { readonly pool: string }) {
  const trail = useTrail(pool)
  const call = apiCall('pools', 'activities', pool, {
    limit: PAGE_OF_ACTIVITIES,
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  return (
    <Block
      title="Activity"
      call={call}
      lines={PAGE_OF_ACTIVITIES}
      keepPrevious
      empty={({ data }) => (data.activities.length === 0 ? 'No account did anything in this pool.' : null)}
    >
      {({ data }) => (
        <>
          <ActivitiesTable label="Activity" activities={data.activities} />
          <Pager trail={trail} nextCursor={data.next_cursor} about="activity" />
        </>
      )}
    </Block>
  )
}
