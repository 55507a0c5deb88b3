// The API key of this tab. It is kept in the session storage, which ends with the tab, and is sent to the API of this origin only.

const STORED_AS = 'orrery-api-key'

type Listener = () => void

const listeners = new Set<Listener>()
let refused = false

/** Null: no key was entered in this tab. */
export function apiKey(): string | null {
  return sessionStorage.getItem(STORED_AS)
}

/** True if the API refused the last key. */
export function wasRefused(): boolean {
  return refused
}

export function enterKey(key: string): void {
  sessionStorage.setItem(STORED_AS, key)
  refused = false
  report()
}

/** @param isRefused Whether the API refused the key; else the user removed it. */
export function forgetKey(isRefused = false): void {
  sessionStorage.removeItem(STORED_AS)
  refused = isRefused
  report()
}

/** Calls `listener` when the key changes. Returns the function that ends it. */
export function onKeyChange(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function report(): void {
  for (const listener of listeners) listener()
}
