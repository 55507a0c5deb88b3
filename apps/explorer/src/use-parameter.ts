// Parameters of the address of a page, such as the ledger that it shows: a link to the page has them too.

import { useLocation } from 'preact-iso'

/** The value of a parameter, and the function that changes it without a new entry in the history of the browser. Null removes it. */
export function useParameter(name: string): readonly [string | undefined, (value: string | null) => void] {
  const { query, route } = useLocation()
  const change = (value: string | null): void => {
    // The address of this moment, not of the last drawing: another parameter may have changed since.
    const url = new URL(location.href)
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    route(`${url.pathname}${url.search}`, true)
  }
  return [query[name], change]
}

/** A parameter that is one of several words. Any other word counts as absent. */
export function useChoice<Choice extends string>(
  name: string,
  choices: Readonly<Record<Choice, string>>,
  otherwise: NoInfer<Choice>,
): readonly [Choice, (choice: Choice) => void] {
  const [value, change] = useParameter(name)
  const chosen = value !== undefined && Object.hasOwn(choices, value) ? (value as Choice) : otherwise
  return [chosen, (choice) => change(choice === otherwise ? null : choice)]
}
