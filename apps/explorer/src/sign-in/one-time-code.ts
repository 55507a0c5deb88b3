// The one-time code that `orrery up` prints with the address of the explorer. It comes in the fragment, which a browser sends to no server, and is
// exchanged for a key of twelve hours, which is kept like an entered one.

import { apiKey, enterKey, forgetKey } from '../session.ts'

const FRAGMENT = /^#code=([\w-]{1,100})$/

let refusal: string | null = null

/** Why the code of this visit gave no key. Null: there was none, or it gave one. */
export function codeRefusal(): string | null {
  return refusal
}

/** Exchanges the code of the address, if there is one. The address has none afterwards, so that it can be shared and kept in the history. A key that the tab has stays where the code gives none. */
export async function redeemCode(): Promise<void> {
  const code = FRAGMENT.exec(location.hash)?.[1]
  if (code === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search)
  const failure = await exchange(code)
  if (apiKey() !== null) return
  refusal = failure
  // Shows the form again, with the reason.
  forgetKey()
}

/** Also of an address that is pasted into the tab of the explorer: only its fragment changes then. */
export function redeemLaterCodes(): void {
  addEventListener('hashchange', () => void redeemCode())
}

/** No operation of `/v1`, so not of the client. Null: the tab has the key. */
async function exchange(code: string): Promise<string | null> {
  try {
    const response = await fetch('/explore/key', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
      cache: 'no-store',
    })
    const body = (await response.json()) as { readonly key?: string; readonly error?: { readonly message: string } }
    if (body.key === undefined)
      return response.status === 405 ? 'This server takes no codes. Enter an API key.' : (body.error?.message ?? NO_ANSWER)
    enterKey(body.key)
    return null
  } catch {
    return NO_ANSWER
  }
}

const NO_ANSWER = 'The server did not answer the code of the address. Enter an API key.'
