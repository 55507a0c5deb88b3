// What accounts did in a pool, of all types or of some, by pages.

import type { Activity } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { contractNames } from '../api/contract-names.ts'
import { ActivitiesTable } from './activities-table.tsx'
import { Block } from './block.tsx'
import { Pager, useTrail } from './pager.tsx'

type ActivityType = Activity['activity_type']

interface PoolActivitiesBlockProps {
  /** Id of the pool. */
  readonly pool: string
  /** Contract of the pool. */
  readonly contract: string
  /** How many a page has. */
  readonly rows?: number
  readonly title?: string
  /** Only activities of these types. */
  readonly types?: readonly ActivityType[]
  /** The text in place of an empty list. */
  readonly nothing?: string
}

export function PoolActivitiesBlock({
  pool,
  contract,
  rows = 10,
  title = 'Activity',
  types = [],
  nothing = 'No account did anything in this pool.',
}: PoolActivitiesBlockProps) {
  const trail = useTrail(`${pool} ${types}`)
  const call = apiCall('pools', 'activities', pool, {
    limit: rows,
    ...(types.length > 0 && { activity_type: types }),
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  return (
    <Block title={title} call={call} lines={rows} keepPrevious empty={({ data }) => (data.activities.length === 0 ? nothing : null)}>
      {({ data, enrichment }) => (
        <>
          <ActivitiesTable label={title} activities={data.activities} nameOf={contractNames(enrichment)} here={contract} />
          <Pager trail={trail} nextCursor={data.next_cursor} about={title.toLowerCase()} />
        </>
      )}
    </Block>
  )
}
