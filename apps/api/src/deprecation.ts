// An operation that will end: the headers of its answers, by RFC 9745 (`Deprecation`) and RFC 8594 (`Sunset`).

export interface Deprecation {
  /** From when on the operation should not be used, as an instant in UTC. */
  readonly since: `${string}Z`
  /** From when on it may be answered with 404. */
  readonly sunset: `${string}Z`
  /** Path of the page that names the replacement. */
  readonly docs: string
}

export const DEPRECATION_HEADERS = ['deprecation', 'sunset'] as const

export function deprecationHeaders({ since, sunset, docs }: Deprecation): Readonly<Record<string, string>> {
  return {
    deprecation: `@${Date.parse(since) / 1000}`,
    sunset: new Date(sunset).toUTCString(),
    link: `<${docs}>; rel="deprecation"; type="text/html"`,
  }
}
