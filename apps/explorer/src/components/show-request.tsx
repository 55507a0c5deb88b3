// The request of a block as text, for curl and for the client of TypeScript, with a placeholder instead of the key.

import { useEffect, useState } from 'preact/hooks'
import type { ApiCall } from '../api/api-call.ts'
import { curlText, typescriptText } from '../api/request-text.ts'

interface ShowRequestProps {
  readonly call: ApiCall<unknown>
  /** Name of the block, for readers that do not see where the button is. */
  readonly about: string
}

export function ShowRequest({ call, about }: ShowRequestProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="request" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Show request<span class="unseen"> of {about}</span>
      </summary>
      {isOpen && <RequestTexts call={call} />}
    </details>
  )
}

function RequestTexts({ call }: { readonly call: ApiCall<unknown> }) {
  const [curl, setCurl] = useState('')
  const key = JSON.stringify([call.resource, call.method, call.args])
  useEffect(() => {
    let isCurrent = true
    void curlText(call, location.origin).then((text) => isCurrent && setCurl(text))
    return () => {
      isCurrent = false
    }
  }, [key])
  return (
    <>
      <RequestText name="curl" text={curl} />
      <RequestText name="TypeScript" text={typescriptText(call, location.origin)} />
    </>
  )
}

/** A browser has no clipboard for pages without TLS, but for those of the same machine. */
const CAN_COPY = 'clipboard' in navigator

export function RequestText({ name, text }: { readonly name: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true))
  }
  return (
    <div class="request-text">
      <p>
        {name}{' '}
        {CAN_COPY && (
          <button type="button" class="plain" onClick={copy}>
            {isCopied ? 'Copied' : 'Copy'}
            <span class="unseen"> {name}</span>
          </button>
        )}
      </p>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  )
}
