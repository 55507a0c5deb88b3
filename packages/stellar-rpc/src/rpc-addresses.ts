/** Addresses as options and variables name them, the preferred one first, separated by commas. */
export function rpcAddresses(text: string): readonly string[] {
  return text
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '')
}
