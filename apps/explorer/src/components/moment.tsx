// A time in the locale and the zone of the browser. The title has it in UTC.

import { NO_VALUE } from '../format/number.ts'
import { times } from '../format/time.ts'

export function Moment({ at }: { readonly at: string | null }) {
  if (at === null) return <>{NO_VALUE}</>
  return (
    <time dateTime={at} title={at}>
      {times.moment(at)}
    </time>
  )
}
