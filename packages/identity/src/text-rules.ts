// Rules for names and text. PostgreSQL cannot store a NUL, and half of a surrogate pair comes back as another character: both are refused
// before either database sees them, so that both keep exactly what they were given.

/** `^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$`: what is safe in a URL, a file name and a host name. */
export const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** One @ between two parts without spaces. Only a sent mail shows whether the address exists. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,189}$/u

/**
 * Invisible characters, and characters that make one name look like another or reverse its letters: controls, format characters (bidirectional
 * ones, zero-width ones, tags), line and paragraph separators, and all others that Unicode marks as not drawn.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufffd]/u

/** Text of characters that are seen, and without U+FFFD, which stands where bytes that are no UTF-8 were lost. */
export function isPlain(text: string): boolean {
  return text.isWellFormed() && !UNSEEN.test(text)
}

/** The text without spaces around it, or null when it has not 1 to `most` code points of plain text. */
export function plainText(text: string, most: number): string | null {
  const trimmed = text.trim()
  const length = [...trimmed].length
  return length >= 1 && length <= most && isPlain(trimmed) ? trimmed : null
}

/** The address as it is compared: without spaces around it, in lower case. Null when it is none. */
export function emailAddress(text: string): string | null {
  const address = text.trim().toLowerCase()
  return EMAIL.test(address) && isPlain(address) ? address : null
}
