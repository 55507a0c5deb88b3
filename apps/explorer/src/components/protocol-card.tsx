// A protocol with its value now and in the last 30 days.

import type { Protocol } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { hasPartial } from '../api/warnings.ts'
import { numbers } from '../format/number.ts'
import { protocolPath } from '../paths.ts'
import { PartialMark } from './provenance.tsx'
import { ShowRequest } from './show-request.tsx'
import { SparkLine } from './spark-line.tsx'
import { StatusMark } from './status-mark.tsx'

export function ProtocolCard({ protocol }: { readonly protocol: Protocol }) {
  const { protocol_id: id, display_name: name, adapter } = protocol
  const call = apiCall('protocols', 'tvl', id)
  const { answer, error } = useAnswer(call)
  const values = answer?.data.points.map(({ tvl_usd }) => tvl_usd) ?? []
  const missing = answer?.meta.warnings.find((warning) => hasPartial([warning]))
  return (
    <li class="card">
      <h3>
        <a href={protocolPath(id)}>{name}</a> <StatusMark status={adapter.status} />
      </h3>
      <p class="value" title={values.at(-1)}>
        {error !== null ? 'TVL unknown' : answer === undefined ? <span class="line" /> : numbers.usdShort(values.at(-1))}
      </p>
      <p class="note">
        TVL {answer !== undefined && <PartialMark meta={answer.meta} />} · {numbers.count(adapter.contracts_tracked, 'contract')}
      </p>
      {/* The message speaks of points of a series, which a card does not name. */}
      {missing !== undefined && (
        <p class="note">{missing.code === 'unpriced_asset' ? 'An asset without a price is not counted.' : missing.message}</p>
      )}
      <SparkLine values={values} />
      <p class="note">TVL, last 30 days</p>
      <ShowRequest call={call} about={`the value of ${name}`} />
    </li>
  )
}
