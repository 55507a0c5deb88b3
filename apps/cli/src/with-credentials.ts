// An address with user and password in it, as `curl` and ClickHouse's clients take it.

/** Without a slash at the end. */
export function withCredentials(address: string, { user, password }: { readonly user: string; readonly password: string }): string {
  const url = new URL(address)
  url.username = user
  url.password = password
  return url.href.replace(/\/$/, '')
}
