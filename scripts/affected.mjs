// Checks what a change affects: lint and repository rules, then types and tests of every affected package, through turbo.
// A result for the same inputs is not computed again; turbo marks it as "cache hit".
//   npm run affected                      against the branch `main`, uncommitted changes included
//   TURBO_SCM_BASE=HEAD npm run affected  only uncommitted changes
//   npm run affected -- --force           computes everything again
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder beside the repository: more ledgers and vectors, which tests read. turbo only hashes files of the repository itself. */
function sharedDigest() {
  if (!existsSync('../shared')) return 'absent'
  const digest = createHash('sha256')
  for (const entry of readdirSync('../shared', { recursive: true, withFileTypes: true }).filter((found) => found.isFile())) {
    const path = join(entry.parentPath, entry.name)
    digest.update(`${path}\0`).update(createHash('sha256').update(readFileSync(path)).digest())
  }
  return digest.digest('hex')
}

/** Other facts of the machine that decide which tests run: a test without its server is skipped or fails, and must not stay so in the cache. */
function machine() {
  const has = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).error === undefined
  const postgres = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').join('+') : 'absent'
  const servers = [has('redis-server', '--version'), has('java', '-version'), has('mvn', '--version'), has('go', 'version')]
  return JSON.stringify([process.platform, process.arch, process.version, process.getuid?.() === 0, postgres, servers])
}

const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ORRERY_SHARED: sharedDigest(), ORRERY_MACHINE: machine() }
// A missing base would select every package without an error.
env.TURBO_SCM_BASE ||= spawnSync('git', ['rev-parse', '--verify', '--quiet', 'main']).status === 0 ? 'main' : 'origin/main'
const more = process.argv.slice(2)
const turbo = ['run', '--affected', '--output-logs=new-only', '--continue=dependencies-successful']
const steps = [
  ['biome', 'check', '.'],
  ['vitest', 'run', '--project', 'house'],
  ['turbo', ...turbo, 'types', ...more],
  // One package after the other: each test run uses all cores by itself.
  ['turbo', ...turbo, 'test', '--concurrency=1', ...more],
]
const failed = steps.filter(([command, ...args]) => {
  console.log(`\n== ${command} ${args.join(' ')}`)
  return spawnSync(command, args, { stdio: 'inherit', env }).status !== 0
})
console.log(failed.length === 0 ? '\nAll checks of the change passed.' : `\nFailed: ${failed.map((step) => step.join(' ')).join('; ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
