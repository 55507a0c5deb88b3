// The SQL of a series, for users who read the database themselves.

import { isApiError, type QueryName } from '@orrery/client'
import { useEffect, useState } from 'preact/hooks'
import { type ApiCall, apiCall } from '../api/api-call.ts'
import { pathOf } from '../api/request-text.ts'
import { clickhouseText, statementsOf } from '../api/sql-text.ts'
import { useAnswer } from '../api/use-answer.ts'
import { RequestText } from './show-request.tsx'

interface ShowSqlProps {
  readonly call: ApiCall<unknown>
  /** Name of the block, for readers that do not see where the button is. */
  readonly about: string
}

/** Nothing where no statement is behind the answer. */
export function ShowSql({ call, about }: ShowSqlProps) {
  const [isOpen, setOpen] = useState(false)
  const names = statementsOf(call)
  if (names.length === 0) return null
  return (
    <details class="request" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Show SQL<span class="unseen"> of {about}</span>
      </summary>
      {isOpen && <Statements call={call} names={names} />}
    </details>
  )
}

function Statements({ call, names }: { readonly call: ApiCall<unknown>; readonly names: readonly QueryName[] }) {
  const [request, setRequest] = useState<string | null>(null)
  const key = JSON.stringify([call.resource, call.method, call.args])
  useEffect(() => {
    let isCurrent = true
    void pathOf(call).then((path) => isCurrent && setRequest(path))
    return () => {
      isCurrent = false
    }
  }, [key])
  if (request === null) return <p class="note">Loading</p>
  return (
    <>
      <p class="note">
        The statements that the API runs, on <a href="/docs/analysts">the views of an analyst</a>; <code>orrery secrets</code> prints the
        address. Where the series reaches the last indexed ledger, its last point has the values of the present instead.
      </p>
      {names.map((name) => (
        <Statement key={name} name={name} request={request} />
      ))}
    </>
  )
}

function Statement({ name, request }: { readonly name: QueryName; readonly request: string }) {
  const { answer, error } = useAnswer(apiCall('queries', 'get', name, { request }))
  // A series whose window has nothing to read, such as reserves of a pool that began later, does not run all of its statements.
  if (isApiError(error) && error.code === 'invalid_parameter') return <p class="note">The request did not run the statement {name}.</p>
  if (error !== null) return <p role="alert">{error.message}</p>
  if (answer === undefined) return <p class="note">Loading</p>
  return (
    <>
      <p class="note">{answer.data.about.replaceAll('`', '')}</p>
      <RequestText name={name} text={clickhouseText(answer.data)} />
    </>
  )
}
