// Runs one tier of tests, as named in the README: `npm test` (types, lint, unused code, then every vitest project), `npm run test:system`,
// `npm run test:long`. More arguments go to vitest: `npm test -- --project soroswap`.
// Every step runs even when an earlier one failed. Lists skipped tests and the contents of the other tiers; the last line is
// `N passed, N failed` or `N passed, N failed, N skipped`.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

const TIERS = ['unit', 'system', 'long']
const tier = TIERS.includes(process.argv[2]) ? process.argv[2] : 'unit'
const vitestArguments = process.argv.slice(TIERS.includes(process.argv[2]) ? 3 : 2)
const startedMs = Date.now()
const scratch = mkdtempSync(join(tmpdir(), 'orrery-test-'))
const report = join(scratch, 'vitest.json')
let passed = 0
let failed = 0
/** How many tests or steps were skipped, by reason. */
const skipped = new Map()

function run(command, args, options = {}) {
  return spawnSync(command, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      TURBO_TELEMETRY_DISABLED: '1',
      ORRERY_TEST_TIER: tier,
      ORRERY_TEST_WHOLE_TIER: vitestArguments.length === 0 ? '1' : '',
      ...options.env,
    },
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

if (tier === 'unit') {
  step('types', 'tsc', ['--noEmit', '-p', '.'])
  step('types of the explorer', 'tsc', ['--noEmit', '-p', 'apps/explorer'])
  step('lint and format', 'biome', ['check', '.'])
  step('unused exports and dependencies', 'knip', [])
}
if (tier === 'system') {
  checkComposeFiles()
  checkManifests()
  checkUnits()
  testAlerts()
}

/**
 * The contracts' answers at one checkpoint in 32, because three shards take several times as long as one engine. A run of its own: the files of a run
 * share one index.
 */
function compareOnShards() {
  const files = ['ledgers', 'aquarius', 'blend', 'fxdao', 'soroswap'].map((name) => `test/ground-truth-${name}.test.ts`)
  const env = { ORRERY_TEST_TIER: 'unit', ORRERY_TEST_SHARDED: '1', ORRERY_TEST_WHOLE_TIER: '' }
  step('ground truth on three shards', 'vitest', ['run', '--project', 'cli', ...files], { env })
}

/** Checked by compose-go. Go is only needed for this check. */
function checkComposeFiles() {
  if (has('go', 'version')) {
    step('compose files', 'go', ['run', '.', '../../docker-compose.yml'], { cwd: 'infra/compose-check' })
    const receiver = 'OTEL_EXPORTER_OTLP_ENDPOINT=http://otel-collector:4318'
    const files = ['../../docker-compose.yml', '../docker/traces.yml']
    step('compose files with traces', 'env', [receiver, 'go', 'run', '.', ...files], { cwd: 'infra/compose-check' })
  } else {
    console.log('\n== compose files: skipped')
    skip('there is no `go` on this machine: the compose files were not checked')
  }
}

/** Built by kustomize, which Go compiles, and compared with the schemas of Kubernetes, which pip installs. */
function checkManifests() {
  if (has('go', 'version') && has('python3', '-m', 'pip', '--version')) {
    step('manifests of Kubernetes', 'sh', ['infra/kubernetes/check/check.sh'])
  } else {
    console.log('\n== manifests of Kubernetes: skipped')
    skip('there is no `go`, or no `python3` with pip, on this machine: the manifests of Kubernetes were not checked')
  }
}

/** Read by systemd-analyze; systemd need not run. */
function checkUnits() {
  if (has('systemd-analyze', '--version')) {
    step('units of systemd', 'sh', ['infra/systemd/check.sh'])
  } else {
    console.log('\n== units of systemd: skipped')
    skip('there is no `systemd-analyze` on this machine: the units of systemd were not checked')
  }
}

function has(command, ...args) {
  return spawnSync(command, args).status === 0
}

/** Tested by promtool, which is only needed here. */
function testAlerts() {
  if (has('promtool', '--version')) {
    step('alerts', 'promtool', ['test', 'rules', 'infra/prometheus/orrery.test.yml'])
    step('configuration of Prometheus', 'promtool', ['check', 'config', 'infra/prometheus/prometheus.yml'])
  } else {
    console.log('\n== alerts: skipped')
    skip('there is no `promtool` on this machine (Debian package `prometheus`): the alerts were not tested')
  }
}

/** Whether the folder with more ledgers, vectors and the mainnet registry exists beside the repository. */
const hasShared = existsSync('../shared/ledgers')

/** Why a test is skipped, by its full name: tests have conditions only for what a machine, a driver or a recording may lack. */
const REASONS = [
  [/needs root/, 'this user is not root'],
  [/needs the history of the repository/, 'this clone lacks an earlier commit whose processes are run: `git fetch --unshallow`'],
  [/shipped recording/, 'ORRERY_TEST_RECORDING names another recording: values pinned for the shipped one were not checked'],
  [/newest record|retention/, 'a driver of the event log that does not delete records at once'],
  [
    /time limit of the run/,
    'files that would have begun after ORRERY_TEST_UNTIL, the time limit of the run, on a machine as slow as this one',
  ],
]

function reasonOf(name) {
  const known = REASONS.find(([pattern]) => pattern.test(name))
  if (known !== undefined) return known[1]
  if (!hasShared) return '../shared does not exist beside the repository: its vectors and ledgers were not read'
  return `by a condition of its own: ${name}`
}

function skip(reason) {
  skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
}

/** Additional tests of a run with ../shared: their names contain it, or the ledgers in it. */
function reportShared(files) {
  const more = files.flatMap(({ name, assertionResults }) => {
    const read = assertionResults.filter((test) => test.status === 'passed' && SHARED.test(test.fullName))
    return read.length === 0 ? [] : [`  ${relative('.', name)}: ${read.length}`]
  })
  if (hasShared && more.length > 0)
    console.log(`\nTests that read ../shared, which a clone of the repository alone skips:\n${more.join('\n')}`)
}

const SHARED = /\.\.\/shared|beside the repository|mainnet ledger|another program has decoded|^the references/

console.log(`\n== tests: ${tier}`)
const failedBefore = failed
const vitest = run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...vitestArguments])
try {
  const result = JSON.parse(readFileSync(report, 'utf8'))
  passed += result.numPassedTests
  failed += result.numFailedTests
  const tests = result.testResults.flatMap((file) => file.assertionResults)
  for (const test of tests) if (test.status === 'skipped' || test.status === 'pending') skip(reasonOf(test.fullName))
  reportShared(result.testResults)
  // A file that cannot be loaded has no failed test of its own.
  failed += result.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((t) => t.status !== 'failed'),
  ).length
} catch (cause) {
  console.log(`The tests wrote no report: ${cause.message}`)
  failed += 1
}
// An error outside of any test, such as a rejection that nothing handled.
if (vitest.status !== 0 && failed === failedBefore) {
  console.log(`vitest ended with ${vitest.status ?? vitest.signal}, although no test failed.`)
  failed += 1
}
rmSync(scratch, { recursive: true, force: true })
// Named files are run alone.
if (tier === 'long' && vitestArguments.length === 0) compareOnShards()

const skippedCount = [...skipped.values()].reduce((sum, count) => sum + count, 0)
/** The contents of each tier. */
const COVERS = {
  unit: 'folds, prices, answers and ground truth on the embedded engines',
  system:
    'Kafka, PostgreSQL and Redis, processes apart, the services of docker-compose.yml, ten seeds of faults, faults at every call, root, hostile input, refused parameters, guessed passwords, the ground truth of derived figures at one checkpoint in 32, streams and webhooks',
  long: 'two hundred seeds of faults, kills of `orrery up`, an index from the middle to the end of the recording, every ledger against the SDK, refused sets of parameters, all of the ground truth through /v1, a sample of it on three shards of ClickHouse',
}
const SUFFIX = { unit: 'test', system: 'system.test', long: 'long.test' }
const COMMAND = { unit: 'npm test', system: 'npm run test:system', long: 'npm run test:long' }
console.log(`\n${COMMAND[tier]} took ${((Date.now() - startedMs) / 60_000).toFixed(1)} minutes. It covers ${COVERS[tier]}.`)
for (const other of TIERS.filter((it) => it !== tier && it !== 'unit')) {
  const files = globSync(`{apps,packages}/*/{src,test}/**/*.${SUFFIX[other]}.ts`).length
  console.log(`Not covered here, by \`${COMMAND[other]}\` (${files} more files): ${COVERS[other]}.`)
}
for (const [reason, count] of skipped) console.log(`skipped ${count}: ${reason}`)
console.log(`${passed} passed, ${failed} failed${skippedCount > 0 ? `, ${skippedCount} skipped` : ''}`)
process.exitCode = failed === 0 ? 0 : 1
