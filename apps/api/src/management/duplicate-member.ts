// Finds objects in a JSON text that name a member twice. `JSON.parse` silently takes the last one; a proxy or a log in front of the API may
// have read the first (RFC 8259, 4: "the behavior of software that receives such an object is unpredictable").

/** Strings, brackets, braces and commas. Numbers and literals are skipped: they cannot contain any of these. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g

/** Name of the first member that occurs twice in its object; null if there is none. `json` is valid JSON. */
export function duplicateMember(json: string): string | null {
  /** For each open object its names so far, for each open array null. Not recursive, because the nesting may be as deep as the text is long. */
  const open: (Set<string> | null)[] = []
  let expectsName = false
  for (const [token] of json.matchAll(TOKEN)) {
    const names = open.at(-1)
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ',' && expectsName && names) {
      // One name can be written in several ways: "a" and "\u0061".
      const name = JSON.parse(token) as string
      if (names.has(name)) return name
      names.add(name)
    }
    // A name follows the opening of an object, or a comma inside one; its value follows the name.
    expectsName = (token === '{' || token === ',') && open.at(-1) instanceof Set
  }
  return null
}
