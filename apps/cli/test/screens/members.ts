// Whether answers have the members that a screen shows.

/** Members from the body down, joined by points; `*` is every element of a list and every member of an object. */
export type MemberPath = string

/**
 * The paths that an answer does not satisfy: nothing is there, an element lacks the member, or it is null everywhere. A null in some elements
 * is a value that these do not have.
 */
export function missingFrom(body: unknown, paths: readonly MemberPath[]): readonly MemberPath[] {
  return paths.filter((path) => {
    const found = valuesAt(body, path.split('.'))
    return found.length === 0 || found.includes(undefined) || found.every((value) => value === null)
  })
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [value]
  if (typeof value !== 'object' || value === null) return [undefined]
  if (name === '*') return Object.values(value).flatMap((member) => valuesAt(member, rest))
  return valuesAt((value as Readonly<Record<string, unknown>>)[name], rest)
}
