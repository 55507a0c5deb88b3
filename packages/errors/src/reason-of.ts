// The message of any thrown value, for the middle of a sentence.

/** The message of an error; the text of any other thrown value. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
