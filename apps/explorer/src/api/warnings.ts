// Warnings of an answer about items of a list in it, which they name by the place in `data`.

import type { Meta, SparseMeta, Warning } from '@orrery/client'

/** A warning of another code makes its answer partial. */
const QUALIFYING: ReadonlySet<string> = new Set(['stale_price', 'read_through', 'given_prices'])

/** Whether one of them says that something is missing. */
export function hasPartial(warnings: readonly Warning[]): boolean {
  return warnings.some(({ code }) => !QUALIFYING.has(code))
}

/** Places of the items that warnings with a code are about. @param list Member of `data`, such as `positions`. */
export function placesWarnedOf({ warnings }: Meta | SparseMeta, code: Warning['code'], list: string): ReadonlySet<number> {
  return new Set(warnings.filter((warning) => warning.code === code).flatMap(({ path }) => placeIn(path, list) ?? []))
}

/**
 * Warnings of a list whose items are now at other places.
 * @param placeOf New place of the item at a place; null: the item is not in the list any more.
 */
export function movedWarnings(warnings: readonly Warning[], list: string, placeOf: (place: number) => number | null): Warning[] {
  return warnings.flatMap((warning) => {
    const { path } = warning
    const place = placeIn(path, list)
    if (path === null || place === null) return [warning]
    const moved = placeOf(place)
    return moved === null ? [] : [{ ...warning, path: path.replace(`/${list}/${place}`, `/${list}/${moved}`) }]
  })
}

function placeIn(path: string | null, list: string): number | null {
  const [, found, place] = /^\/(\w+)\/(\d+)(?:\/|$)/.exec(path ?? '') ?? []
  return found === list && place !== undefined ? Number(place) : null
}
