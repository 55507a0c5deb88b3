// The whole test of the house, as CI and the README call it: types, lint, unused code, compose files, then every vitest project.
// Every step runs even when one before it failed, so one run tells everything. Last line: `N passed, N failed`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const scratch = mkdtempSync(join(tmpdir(), 'orrery-test-'))
const report = join(scratch, 'vitest.json')
let passed = 0
let failed = 0

function run(command, args, options = {}) {
  return spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    cwd: options.cwd,
  })
}

function step(name, command, args, options) {
  const startedMs = Date.now()
  console.log(`\n== ${name}`)
  const result = run(command, args, options)
  const ok = result.status === 0
  if (ok) passed += 1
  else failed += 1
  console.log(`== ${name}: ${ok ? 'passed' : 'FAILED'} in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`)
}

step('types', 'turbo', ['run', 'types', '--output-logs=errors-only'])
step('lint and format', 'biome', ['check', '.'])
step('unused exports and dependencies', 'knip', [])

// The compose files are checked by compose-go itself. Go is only needed for this check.
if (spawnSync('go', ['version']).status === 0) {
  step('compose files', 'go', ['run', '.', '../../docker-compose.yml'], {
    cwd: 'infra/compose-check',
  })
} else {
  console.log('\n== compose files: not checked, because there is no `go` on this machine')
}

console.log('\n== tests')
run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)])
try {
  const result = JSON.parse(readFileSync(report, 'utf8'))
  passed += result.numPassedTests
  failed += result.numFailedTests
  // A file that cannot be loaded has no failed test of its own.
  failed += result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((t) => t.status !== 'failed'),
  ).length
} catch (cause) {
  console.log(`The tests left no report: ${cause.message}`)
  failed += 1
}
rmSync(scratch, { recursive: true, force: true })

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
