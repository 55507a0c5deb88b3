// Lists, amounts and addresses as they are written in English sentences.

/** `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Like `listed`, for phrases: if one of them has parts of its own, a comma stands before the last one. */
export function inSequence(phrases: readonly string[]): string {
  const isLong = phrases.length > 1 && phrases.some((phrase) => / and |: |, /.test(phrase))
  return isLong ? `${phrases.slice(0, -1).join(', ')}, and ${phrases.at(-1)}` : listed(phrases)
}

/** A phrase in the middle of a sentence. */
export function lowered(phrase: string): string {
  return phrase.charAt(0).toLowerCase() + phrase.slice(1)
}

/** Thousands separated by commas: `1250.5` is `1,250.5`. */
export function grouped(amount: string): string {
  const [whole = '', fraction] = amount.split('.')
  const set = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? set : `${set}.${fraction}`
}

export function shortened(address: string): string {
  return `${address.slice(0, 4)}…${address.slice(-4)}`
}
