// A part of a list, such as what a search matches.

import type { Meta } from '@orrery/client'
import { hasPartial, movedWarnings } from './warnings.ts'

interface ListAnswer<List extends string, Item> {
  readonly data: Readonly<Record<List, readonly Item[]>>
  readonly meta: Meta
}

/** The answer with the items that `isShown` selects, and with the warnings about them or about the whole answer. */
export function matching<List extends string, Item, Answer extends ListAnswer<List, Item>>(
  answer: Answer,
  list: List,
  isShown: (item: Item) => boolean,
): Answer {
  const { data, meta } = answer
  const shown = [...data[list].entries()].filter(([, item]) => isShown(item))
  const places = new Map(shown.map(([before], after) => [before, after]))
  const warnings = movedWarnings(meta.warnings, list, (place) => places.get(place) ?? null)
  return {
    ...answer,
    data: { ...data, [list]: shown.map(([, item]) => item) },
    meta: { ...meta, warnings, partial_result: meta.partial_result && hasPartial(warnings) },
  }
}
