// What accounts did in a pool, of all types or of some, by pages.

import type { Activity } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { ActivitiesTable } from './activities-table.tsx'
import { Block } from './block.tsx'
import { Pager, useTrail } from './pager.tsx'

type ActivityType = Activity['activity_type']

const PAGE_OF_ACTIVITIES = 10

interface PoolActivitiesBlockProps {
  readonly pool: string
  readonly title?: string
  /** Only activities of these types. */
  readonly types?: readonly ActivityType[]
  /** The text in place of an empty list. */
  readonly nothing?: string
}

export function PoolActivitiesBlock({
  pool,
  title = 'Activity',
  types = [],
  nothing = 'No account did anything in this pool.',
}: PoolActivitiesBlockProps) {
  const trail = useTrail(`${pool} ${types}`)
  const call = apiCall('pools', 'activities', pool, {
    limit: PAGE_OF_ACTIVITIES,
    ...(types.length > 0 && { activity_type: types }),
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  return (
    <Block
      title={title}
      call={call}
      lines={PAGE_OF_ACTIVITIES}
      keepPrevious
      empty={({ data }) => (data.activities.length === 0 ? nothing : null)}
    >
      {({ data }) => (
        <>
          <ActivitiesTable label={title} activities={data.activities} />
          <Pager trail={trail} nextCursor={data.next_cursor} about={title.toLowerCase()} />
        </>
      )}
    </Block>
  )
}
