// The movements of a transaction as a picture: a column for each account and contract, an arrow for each movement, from top to bottom in time.
// The same movements are a list of sentences below it, with their whole amounts.

import { useId } from 'preact/hooks'
import type { Flow } from '../flows/flows.ts'
import { partiesOf } from '../flows/flows.ts'
import { shortened } from '../format/address.ts'
import { numbers } from '../format/number.ts'
import { AddressLink, AssetLink } from './links.tsx'

interface FlowPictureProps {
  readonly flows: readonly Flow[]
  /** Name of a contract; undefined if it has none. */
  readonly nameOf: (address: string) => string | undefined
}

/** Height of an arrow with its two lines of text. */
const ROW_PX = 56
/** Where the arrow is in its row: below the amount, above the event. */
const ARROW_PX = 32

export function FlowPicture({ flows, nameOf }: FlowPictureProps) {
  const marker = useId()
  const parties = partiesOf(flows)
  const columns = new Map(parties.map((party, n) => [party, ((n + 0.5) / parties.length) * 100]))
  const at = (party: string): number => columns.get(party) ?? 0
  const labelOf = (party: string): string => nameOf(party) || shortened(party)
  const height = flows.length * ROW_PX + 8
  return (
    <div class="flow">
      <section class="scroll" aria-label="Movements, picture" tabIndex={0}>
        <div class="flow-frame" data-columns={Math.min(parties.length, MOST_COLUMNS)}>
          <div class="flow-heads">
            {parties.map((party) => (
              <p key={party} class={party.startsWith('G') ? 'flow-head' : 'flow-head contract'}>
                <span class="note">{party.startsWith('G') ? 'Account' : 'Contract'}</span>
                <AddressLink address={party} name={nameOf(party)} />
              </p>
            ))}
          </div>
          <svg class="flow-arrows" width="100%" height={height} role="img" aria-label={summaryOf(flows, labelOf)}>
            <defs>
              <marker id={marker} viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
                <path d="M0 0 10 5 0 10z" class="flow-tip" />
              </marker>
            </defs>
            {parties.map((party) => (
              <line key={party} class="flow-line" x1={`${at(party)}%`} x2={`${at(party)}%`} y1="0" y2={height} />
            ))}
            {flows.map((flow, n) => (
              <Arrow key={n} flow={flow} x1={at(flow.from)} x2={at(flow.to)} top={n * ROW_PX} marker={marker} />
            ))}
          </svg>
        </div>
      </section>
      <ol class="flow-texts">
        {flows.map((flow, n) => (
          <li key={n}>
            <span title={flow.amount}>{numbers.amount(flow.amount)}</span> <AssetLink assetId={flow.assetId} symbol={flow.symbol} /> from{' '}
            <AddressLink address={flow.from} name={nameOf(flow.from)} /> to <AddressLink address={flow.to} name={nameOf(flow.to)} />
            {flow.received !== null && <>, which received {numbers.amount(flow.received)}</>}
            {flow.event !== '' && (
              <>
                {' '}
                <code>{flow.event}</code>
              </>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Pictures with more columns scroll in their frame even on a wide window. */
const MOST_COLUMNS = 12

interface ArrowProps {
  readonly flow: Flow
  /** Columns of both ends, in percent of the width. */
  readonly x1: number
  readonly x2: number
  readonly top: number
  readonly marker: string
}

function Arrow({ flow, x1, x2, top, marker }: ArrowProps) {
  const y = top + ARROW_PX
  const middle = `${(x1 + x2) / 2}%`
  const amount = `${numbers.amountShort(flow.amount)} ${flow.symbol || shortened(flow.assetId)}`
  return (
    <g>
      <line class="flow-arrow" x1={`${x1}%`} x2={`${x2}%`} y1={y} y2={y} marker-end={`url(#${marker})`} />
      <text class="flow-amount" x={middle} y={y - 7} text-anchor="middle">
        {amount}
      </text>
      <text class="flow-event" x={middle} y={y + 14} text-anchor="middle">
        {flow.received === null ? flow.event : `${numbers.amountShort(flow.received)} received`}
      </text>
    </g>
  )
}

function summaryOf(flows: readonly Flow[], labelOf: (party: string) => string): string {
  const sentences = flows.map(
    ({ from, to, amount, symbol, assetId }) =>
      `${numbers.amount(amount)} ${symbol || shortened(assetId)} from ${labelOf(from)} to ${labelOf(to)}`,
  )
  return `${numbers.whole(flows.length)} movements: ${sentences.join('; ')}`
}
