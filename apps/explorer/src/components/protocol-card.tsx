// A protocol with its value now and in the last 30 days, and its emissions.

import type { Protocol } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { hasPartial } from '../api/warnings.ts'
import { NO_VALUE, numbers } from '../format/number.ts'
import { protocolPath } from '../paths.ts'
import { type EmittedToken, emittedTokens } from '../pools/emissions.ts'
import { PartialMark, Provenance } from './provenance.tsx'
import { ShowRequest } from './show-request.tsx'
import { ShowSql } from './show-sql.tsx'
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
      <SparkLine values={values} />
      <p class="note">TVL, last 30 days</p>
      <div class="card-basis">
        <EmissionsLine protocol={id} />
        {/* The message speaks of points of a series, which a card does not name. */}
        {missing !== undefined && (
          <p class="note">{missing.code === 'unpriced_asset' ? 'An asset without a price is not counted.' : missing.message}</p>
        )}
        {/* Warnings are about points of a series; what they say of the card stands above. */}
        {answer !== undefined && <Provenance meta={{ ...answer.meta, warnings: [] }} />}
      </div>
      <ShowRequest call={call} about={`the value of ${name}`} />
      <ShowSql call={call} about={`the value of ${name}`} />
    </li>
  )
}

/** What the protocol pays to holders of positions now. */
function EmissionsLine({ protocol }: { readonly protocol: string }) {
  const { answer, error } = useAnswer(apiCall('protocols', 'emissions', protocol))
  const tokens = answer === undefined ? [] : emittedTokens(answer.data)
  return (
    <p class="note emissions">
      {error !== null ? 'Emissions unknown' : answer === undefined ? '\u00a0' : tokens.length === 0 ? 'No emissions now' : rateText(tokens)}
    </p>
  )
}

/** A card has a place for so many tokens. */
const MOST_TOKENS = 2

function rateText(tokens: readonly EmittedToken[]): string {
  const shown = tokens
    .slice(0, MOST_TOKENS)
    .map(({ symbol, tokensPerSecond }) => `${numbers.amount(tokensPerSecond)} ${symbol || NO_VALUE}`)
  const more = tokens.length > MOST_TOKENS ? ` and ${numbers.count(tokens.length - MOST_TOKENS, 'more token')}` : ''
  return `Emissions: ${shown.join(', ')}${more} per second`
}
