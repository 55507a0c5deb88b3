// JSON texts in which an object names a member twice. `JSON.parse` takes the last one without a word; a proxy or a log in front of the API may
// have looked at the first (RFC 8259, 4: "the behavior of software that receives such an object is unpredictable").

/** Strings, and what opens, closes and separates. Numbers and words are skipped: they cannot hold any of these. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g

/** Name of the first member that its object has already; null when there is none. `json` has been parsed without an error. */
export function duplicateMember(json: string): string | null {
  /** For each open object the names so far, for each open list null. Not recursive: a text may be as deep as it is long. */
  const open: (Set<string> | null)[] = []
  let expectsName = false
  for (const [token] of json.matchAll(TOKEN)) {
    const names = open.at(-1)
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ',' && expectsName && names) {
      // Written in two ways, a name is the same: "a" and "\u0061".
      const name = JSON.parse(token) as string
      if (names.has(name)) return name
      names.add(name)
    }
    // A name follows the opening of an object and a comma inside of one; behind a name stands its value.
    expectsName = (token === '{' || token === ',') && open.at(-1) instanceof Set
  }
  return null
}
