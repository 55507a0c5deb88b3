// Everything that a reader of ClickHouse can see, to compare one index with another.

/** Columns with the time, or the place in the log, of a write: they may differ. */
const TELLS_WHEN: Readonly<Record<string, string>> = { active_versions: 'set_at', index_versions: 'set_at', checkpoints: 'log_offset' }
/** Health reports of workers and verdicts of verifications are about this run, not about the network. */
const ABOUT_THE_RUN = ['adapter_health', 'verifications']

export interface ContentsOptions {
  /** Columns to leave out where a view has them, such as the index version that wrote a row. */
  readonly without?: readonly string[]
}

/** Every view's rows in order, as text, by the view's name. `clickhouseUrl` has the analyst's name and password in it. */
export async function viewContents(
  clickhouseUrl: string,
  database = 'orrery',
  { without = [] }: ContentsOptions = {},
): Promise<Record<string, string>> {
  const views = (
    await query(clickhouseUrl, `SELECT name FROM system.tables WHERE database = '${database}' AND engine = 'View' ORDER BY name FORMAT TSV`)
  )
    .trim()
    .split('\n')
  const contents: Record<string, string> = {}
  for (const view of views.filter((name) => !ABOUT_THE_RUN.includes(name))) {
    contents[view] = await contentOf(clickhouseUrl, database, view, { without })
  }
  return contents
}

/** One view's rows in order, as text. */
export function contentOf(clickhouseUrl: string, database: string, view: string, { without = [] }: ContentsOptions = {}): Promise<string> {
  const except = [...(TELLS_WHEN[view] === undefined ? [] : [TELLS_WHEN[view]]), ...without]
  const columns = except.length === 0 ? '*' : `* EXCEPT (${except.join(', ')})`
  return query(clickhouseUrl, `SELECT ${columns} FROM ${database}.${view} ORDER BY ALL FORMAT JSONCompactEachRow`)
}

async function query(clickhouseUrl: string, sql: string): Promise<string> {
  const { origin, username, password } = new URL(clickhouseUrl)
  // A URL holds them encoded: the space of a test's password is `%20` in it.
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
  const response = await fetch(origin, { method: 'POST', body: sql, headers: { authorization, connection: 'close' } })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
