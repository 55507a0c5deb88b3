// Figures with their names, side by side.

import type { ComponentChildren } from 'preact'

export interface Figure {
  readonly name: string
  readonly value: ComponentChildren
  /** Where the value comes from, or what it means. */
  readonly note?: ComponentChildren
}

export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span class="value">{value}</span>
            {note !== undefined && <span class="note">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
