import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

interface Report {
  readonly numFailedTests: number
  readonly numPassedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly { readonly assertionResults: readonly { readonly title: string; readonly status: string }[] }[]
}

/** The tests of one package, with the limit in seconds since 1970; '' is none. */
async function run(until: string): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-time-limit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'report.json')
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'errors', '--reporter', 'json', '--outputFile', file]
  const env = { ORRERY_TEST_UNTIL: until, ORRERY_TEST_TIER: 'unit' }
  await promisify(execFile)(process.execPath, args, { env })
  return JSON.parse(readFileSync(file, 'utf8')) as Report
}

it('a file that would begin after the time limit of a run is one skipped test, and says why; before the limit everything runs', async () => {
  const [all, late] = [await run(''), await run('1')]
  expect([all.numFailedTests, all.numPendingTests]).toEqual([0, 0])
  expect(all.numPassedTests).toBeGreaterThan(all.testResults.length)
  expect([late.numFailedTests, late.numPassedTests, late.numPendingTests]).toEqual([0, 0, all.testResults.length])
  const titles = late.testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title }) => title))
  expect(new Set(titles)).toEqual(new Set(['the file would have begun after the time limit of the run']))
  expect(await run(String(Math.ceil(Date.now() / 1_000) + 600))).toMatchObject({ numPassedTests: all.numPassedTests, numPendingTests: 0 })
})
