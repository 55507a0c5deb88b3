/** Splits the addresses of an option or a variable, which are separated by commas, the preferred one first. */
export function rpcAddresses(text: string): readonly string[] {
  return text
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '')
}
