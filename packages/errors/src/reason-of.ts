// What somebody else's code said when it failed, for the middle of a sentence of ours.

/** The message of an error; of anything else that was thrown, its text. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
