// Figures with their names, side by side.

import type { ComponentChildren } from 'preact'

export interface Figure {
  readonly name: string
  readonly value: ComponentChildren
  /** Where the value comes from, or what it means. */
  readonly note?: ComponentChildren
  /** It has a line of its own. */
  readonly isLine?: boolean
}

export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(({ name, value, note, isLine }) => (
        <div key={name} class={isLine ? 'one-line' : undefined}>
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
