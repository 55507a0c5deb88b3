// A long name that may go on in the next line after its slashes and underscores.

import { Fragment } from 'preact'

export function Breakable({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(?<=[/_])/).map((part, n) => (
        <Fragment key={n}>
          {n > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  )
}
