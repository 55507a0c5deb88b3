// A part of a page that shows one answer: its title, the data, what the data is based on, and the request. It has all states of a request.

import { isApiError, type Meta, type SparseMeta } from '@orrery/client'
import type { ComponentChildren } from 'preact'
import type { ApiCall } from '../api/api-call.ts'
import { type AnswerState, useAnswer } from '../api/use-answer.ts'
import { numbers } from '../format/number.ts'
import { PartialMark, Provenance } from './provenance.tsx'
import { ShowRequest } from './show-request.tsx'
import { ShowSql } from './show-sql.tsx'

interface Answered {
  readonly meta: Meta | SparseMeta
}

/** Tall figures have a second line in a note. A chart has one height, whatever its lines. */
type Shape = 'lines' | 'figures' | 'tall-figures' | 'cards' | 'chart'

interface BlockProps<Answer extends Answered> {
  readonly title: string
  /** Null: what to ask for is not known yet. */
  readonly call: ApiCall<Answer> | null
  /** The past ledger that was asked for; null for the newest one. */
  readonly asOf?: number | null
  readonly children: (answer: Answer) => ComponentChildren
  /** Leaves out a part of the answer, such as what a search does not match. */
  readonly select?: (answer: Answer) => Answer
  /** The text in place of data that is empty; null if the answer has data. */
  readonly empty?: (answer: Answer) => string | null
  /** Controls beside the title. */
  readonly controls?: ComponentChildren
  /** How many lines, figures or cards the data will probably have: a loading block has that height, so that nothing moves when it arrives. */
  readonly lines?: number
  /** What the data will look like. Default: lines. */
  readonly shape?: Shape
  /** The height of the data is unknown: the parts of the page below it appear once it is there, instead of moving then. */
  readonly isUneven?: boolean
  /** While it loads, it fills the window, on any or only on a narrow one. It is uneven there. */
  readonly fills?: 'any' | 'narrow'
  /** Show the previous page of a list until the next one is there. */
  readonly keepPrevious?: boolean
}

export function Block<Answer extends Answered>(props: BlockProps<Answer>) {
  const { title, call, select, controls, asOf = null, keepPrevious = false } = props
  const whole = useAnswer(call, { keepPrevious })
  const state = select === undefined || whole.answer === undefined ? whole : { ...whole, answer: select(whole.answer) }
  return (
    <section class="block" aria-label={title} aria-busy={state.isLoading || call === null}>
      <div class="block-head">
        <h2>
          {title} {asOf !== null && <span class="mark warn">Ledger {numbers.whole(asOf)}</span>}{' '}
          {state.answer !== undefined && <PartialMark meta={state.answer.meta} />}
        </h2>
        {controls}
      </div>
      <BlockBody {...props} state={state} />
      {state.answer !== undefined ? (
        <Provenance meta={state.answer.meta} asOf={asOf} />
      ) : (
        state.error === null && <p class="provenance">{'\u00a0'}</p>
      )}
      {call !== null && (
        <>
          <ShowRequest call={call} about={title} />
          <ShowSql call={call} about={title} />
        </>
      )}
    </section>
  )
}

function BlockBody<Answer extends Answered>(props: BlockProps<Answer> & { readonly state: AnswerState<Answer> }) {
  const { state, children, empty } = props
  if (state.error !== null) return <Failure error={state.error} retry={state.retry} />
  if (state.answer === undefined) return <Skeleton {...props} />
  const nothing = empty?.(state.answer) ?? null
  if (nothing !== null) return <p class="empty">{nothing}</p>
  return <div class={state.isPrevious ? 'previous' : undefined}>{children(state.answer)}</div>
}

/** Grey lines where data will be. */
export function Skeleton({
  lines = 4,
  shape = 'lines',
  isUneven,
  fills,
}: Pick<BlockProps<Answered>, 'lines' | 'shape' | 'isUneven' | 'fills'>) {
  const parts = shape === 'chart' ? 1 : lines
  return (
    <div
      class={['skeleton', `of-${shape}`, (isUneven === true || fills === 'any') && 'uneven', fills && `fills-${fills}`]
        .filter(Boolean)
        .join(' ')}
    >
      <p class="unseen">Loading</p>
      {Array.from({ length: parts }, (_, n) => (
        <span key={n} class="line" />
      ))}
    </div>
  )
}

export function Failure({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  const refusal = isApiError(error) ? error : null
  return (
    <div class="failure" role="alert">
      <p>{refusal?.code === 'not_found' ? error.message : `The request failed. ${error.message}`}</p>
      <p>
        <button type="button" onClick={retry}>
          Try again
        </button>
        {refusal?.docs && (
          <>
            {' '}
            <a href={refusal.docs}>{refusal.code}</a>
          </>
        )}
        {refusal?.requestId && <span class="dim"> Request {refusal.requestId}</span>}
      </p>
    </div>
  )
}
