// Asks for the API key.

import { useState } from 'preact/hooks'
import { enterKey, wasRefused } from '../session.ts'
import { codeRefusal } from '../sign-in/one-time-code.ts'
import { Page } from './page.tsx'

export function KeyForm() {
  const [key, setKey] = useState('')
  const isRefused = wasRefused()
  const refusal = codeRefusal()
  return (
    <Page title="Orrery explorer">
      <p>Positions, pools and transactions of DeFi protocols on Stellar, from the API of this server.</p>
      {refusal !== null && !isRefused && (
        <p class="failure" role="alert">
          {refusal}
        </p>
      )}
      <form
        class="key-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (key.trim() !== '') enterKey(key.trim())
        }}
      >
        <label for="api-key">API key</label>
        <div class="joined">
          <input
            id="api-key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            aria-describedby="api-key-use"
            aria-invalid={isRefused}
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
          <button type="submit">Open</button>
        </div>
        {isRefused && (
          <p class="failure" role="alert">
            The API refused this key. It is wrong, expired or revoked.
          </p>
        )}
        <p id="api-key-use" class="dim">
          The key stays in this tab until you close it, and is sent to this server only. <code>orrery up</code> prints the file that has the
          key.
        </p>
      </form>
    </Page>
  )
}
