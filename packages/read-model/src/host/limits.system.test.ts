import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { analystOf, basic, numberOf, runAsAnalyst, runStatement } from '../testing/send-statement.ts'
import { withClickHouse } from '../testing/with-clickhouse.ts'
import { ANALYST_QUERIES } from './engine-files.ts'

const TOO_MANY_SIMULTANEOUS_QUERIES = 202
const MEMORY_LIMIT_EXCEEDED = 241
const SETTING_CONSTRAINT_VIOLATION = 452
const TOO_MANY_ROWS_OR_BYTES = 396
const clickhouse = withClickHouse()

it('an analyst who sends 110 statements at once runs as many as there are cores, and the API is answered meanwhile', async () => {
  const { engine } = clickhouse
  const { url, user, password } = analystOf(engine)
  const leaving = new AbortController()
  const answers: (number | null)[] = []
  // As long as an analyst's statement may run: none of them ends by itself before it is aborted below.
  const body = 'SELECT sleepEachRow(1) FROM numbers(59) SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0'
  const sent = Array.from({ length: 110 }, async () => {
    const response = await fetch(url, { method: 'POST', body, headers: basic(user, password), signal: leaving.signal })
    answers.push(numberOf(await response.text()))
  })
  await expect.poll(() => answers.length).toBe(110 - ANALYST_QUERIES)
  expect(new Set(answers)).toEqual(new Set([TOO_MANY_SIMULTANEOUS_QUERIES]))

  const running = "SELECT count() FROM system.processes WHERE user = 'analyst'"
  expect(await runStatement(engine, 'admin', running)).toBe(`${ANALYST_QUERIES}`)
  for (const reader of ['api', 'writer', 'status', 'admin'] as const) {
    const atOnce = reader === 'status' ? 2 : 20
    const answers = await Promise.all(Array.from({ length: atOnce }, () => runStatement(engine, reader, 'SELECT 1')))
    expect(new Set(answers), reader).toEqual(new Set(['1']))
  }
  expect(await runStatement(engine, 'admin', running)).toBe(`${ANALYST_QUERIES}`)
  leaving.abort()
  await Promise.allSettled(sent)
  await expect.poll(() => runStatement(engine, 'admin', running)).toBe('0')
})

it('what a statement of an analyst writes to disk is bounded', async () => {
  const { engine } = clickhouse
  // 3 million numbers of 8 bytes: 24 MB as they are.
  const grouped = (bytes: number): string =>
    `SELECT count() FROM (SELECT number FROM numbers(3000000) GROUP BY number) SETTINGS max_bytes_before_external_group_by = 1000000, max_bytes_ratio_before_external_group_by = 0, max_temporary_data_on_disk_size_for_query = ${bytes}`
  expect(await runAsAnalyst(engine, grouped(1_000_000))).toBe(TOO_MANY_ROWS_OR_BYTES)
  expect(await runAsAnalyst(engine, grouped(1024 ** 3))).toBe('3000000')
  expect(await runAsAnalyst(engine, grouped(1024 ** 3 + 1))).toBe(SETTING_CONSTRAINT_VIOLATION)
})

/** How many threads of the process have the lowest priority. */
function niceThreads(pid: number): number {
  const niceOf = (task: string): number => {
    try {
      // proc_pid_stat(5): the nice value is field 19, the 17th behind the name in parentheses.
      const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    } catch {
      return 0 // the thread has ended meanwhile
    }
  }
  return readdirSync(`/proc/${pid}/task`).filter((task) => niceOf(task) === 19).length
}

// The engine changes priorities only where it may raise them again afterwards, which needs CAP_SYS_NICE.
it.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a statement of an analyst that computes has the lowest priority, and its threads have their own again when it ends (needs root)',
  async () => {
    const { engine } = clickhouse
    const { url, user, password } = analystOf(engine)
    const leaving = new AbortController()
    const body = 'SELECT count() FROM numbers(2000000000) WHERE sipHash64(number) = 1 SETTINGS max_rows_to_read = 2000000000'
    await expect.poll(() => niceThreads(engine.pid)).toBe(0) // a statement of the test before may still be ending
    const sent = fetch(url, { method: 'POST', body, headers: basic(user, password), signal: leaving.signal }).catch(() => undefined)
    await expect.poll(() => niceThreads(engine.pid)).toBeGreaterThan(0)
    leaving.abort()
    await sent
    await expect.poll(() => niceThreads(engine.pid)).toBe(0)
  },
)

it('an analyst cannot lift these limits', async () => {
  const { engine } = clickhouse
  for (const setting of [
    'max_concurrent_queries_for_user = 1000',
    'max_memory_usage_for_user = 0',
    'max_memory_usage = 1200000000',
    'max_temporary_data_on_disk_size_for_query = 0',
    'max_temporary_data_on_disk_size_for_query = 1073741825',
    'max_temporary_data_on_disk_size_for_user = 0',
    'os_threads_nice_value_query = 0',
    'os_thread_priority = 0',
    'priority = 1',
    'low_priority_query_wait_time_ms = 0',
    'max_threads = 0',
    'max_threads = 64',
    'cancel_http_readonly_queries_on_client_close = 0',
    'readonly = 0',
  ])
    expect([SETTING_CONSTRAINT_VIOLATION, 164], setting).toContain(await runAsAnalyst(engine, `SELECT 1 SETTINGS ${setting}`))
})

// Last: the statement that sleeps keeps its place until its 50 s are over.
it("an analyst's statements share a quarter of the engine's memory", async () => {
  const { engine } = clickhouse
  // The quarter is 512 MiB. An array of 40 million numbers of 8 bytes has 2^26 places, which are all of it. One of 12 million has 2^24, 128 MiB,
  // and its copy beside it while it is made; 128 MiB stay as long as the statement runs. Arrays of 12, 6 and 3 million have 224 MiB and as much
  // while they are copied, 448 MiB: they fit alone, and not beside 128 MiB.
  const arrayOf = (count: number): string => `(SELECT groupArray(number) AS list FROM numbers(${count}))`
  const three =
    'SELECT length(a) + length(b) + length(c) FROM (SELECT groupArray(number) AS a, groupArrayIf(number, number % 2 = 0) AS b, groupArrayIf(number, number % 4 = 0) AS c FROM numbers(12000000))'
  expect(await runAsAnalyst(engine, `SELECT length(list) FROM ${arrayOf(40_000_000)}`)).toBe(MEMORY_LIMIT_EXCEEDED)
  expect(await runAsAnalyst(engine, three)).toBe('21000000')

  const { url, user, password } = analystOf(engine)
  const leaving = new AbortController()
  const body = `SELECT length(list), sleepEachRow(50) FROM ${arrayOf(12_000_000)} SETTINGS function_sleep_max_microseconds_per_block = 0`
  const holders = "SELECT countIf(peak_memory_usage > 250000000 AND memory_usage < 200000000) FROM system.processes WHERE user = 'analyst'"
  const held = fetch(url, { method: 'POST', body, headers: basic(user, password), signal: leaving.signal }).catch(() => undefined)
  await expect.poll(() => runStatement(engine, 'admin', holders)).toBe('1')
  expect(await runAsAnalyst(engine, three)).toBe(MEMORY_LIMIT_EXCEEDED)
  expect(await runStatement(engine, 'api', three)).toBe('21000000')
  leaving.abort()
  await held
})
