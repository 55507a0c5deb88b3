// Every package is a project of its own, so that one of them can be tested alone: `npx vitest run --project soroswap`.
// The name of a file decides when it runs: `*.test.ts` in `npm test`, `*.system.test.ts` in `npm run test:system`, `*.long.test.ts` in
// `npm run test:long`. ORRERY_TEST_TIER chooses, so that `npx vitest` can run a single file of any of them.
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { memoryFolder } from './scripts/memory-folder.ts'
import { TestOrder } from './scripts/test-order.ts'

// Of this process and those that it starts. One that is set stays.
process.env.TMPDIR ??= memoryFolder() ?? tmpdir()
// Processes of tests, and the programs that they start, load hundreds of modules each: with what Node has compiled before, in two thirds of the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/node-compiled', import.meta.url))
/** Before the test runner ends a process of tests. */
const KEEP_COMPILED = fileURLToPath(new URL('./scripts/keep-compiled.ts', import.meta.url))
const RUNNER = fileURLToPath(new URL('./scripts/time-limit-runner.ts', import.meta.url))

/** The ground truth of `/v1`: a sample of the recording in the first tier, all of it in the last one (apps/cli/test/truth/sampled.ts). */
const GROUND_TRUTH = 'test/ground-truth-*.test.ts'
/** Streams, webhooks and the size of the explorer: promises of the service as a whole, checked in each run of the second tier too. */
const FIRST_TIER_TOO = ['src/stream/*.test.ts', 'test/delivery.test.ts', 'test/send-request.test.ts', 'test/bundle-size.test.ts']
/** The second tier asks for one value that each parameter takes, the last for all of them and for sets of three parameters. */
const REFUSAL_MATRIX = 'src/routes/refusal-matrix.system.test.ts'

/** Which files a tier takes, and how long a test or a hook may take that names no time of its own: it only ends what hangs. */
const TIERS = {
  unit: { suffix: '.test.ts', also: [], skips: ['**/*.system.test.ts', '**/*.long.test.ts'], timeoutMs: 120_000 },
  system: { suffix: '.system.test.ts', also: FIRST_TIER_TOO, skips: [], timeoutMs: 900_000 },
  long: { suffix: '.long.test.ts', also: [GROUND_TRUTH, REFUSAL_MATRIX], skips: [], timeoutMs: 3_600_000 },
} as const

function tierOf(name: string): (typeof TIERS)[keyof typeof TIERS] {
  if (name === 'unit' || name === 'system' || name === 'long') return TIERS[name]
  throw new Error(`ORRERY_TEST_TIER is unit, system or long, not ${name}.`)
}

const tier = process.env.ORRERY_TEST_TIER || 'unit'
const { suffix, also, skips, timeoutMs } = tierOf(tier)
const timeouts = { testTimeout: timeoutMs, hookTimeout: timeoutMs, expect: { poll: { timeout: timeoutMs } } }
/**
 * Packages whose files have a process each. In the first tier the files of every other package share processes, and in them what takes longer to
 * make than most files take to run: loaded modules, an engine, the folded recording. Those files leave nothing behind in the process.
 * A test of `identity` replaces a function of Node before anything has loaded it.
 */
const OWN_PROCESSES = new Set(['identity'])
const isolated = (name: string): boolean => tier !== 'unit' || OWN_PROCESSES.has(name)
const packages = ['packages', 'apps'].flatMap((top) => readdirSync(new URL(`./${top}`, import.meta.url)).map((name) => `${top}/${name}`))

/**
 * Node itself loads the modules of a package and its tests, as it does when Orrery runs: nothing is transformed, and imported functions are called
 * directly. Vite loads those of the explorer, which are made for it, and those of packages that replace a module.
 */
const LOADED_BY_VITE = new Set(['explorer', 'identity'])
const loaderOf = (name: string) => (LOADED_BY_VITE.has(name) ? {} : { experimental: { viteModuleRunner: false, nodeLoader: false } })

/** What a package starts once for all of its test files. Cheap until one of them asks for it. */
function setupOf(folder: string): string[] {
  const setup = fileURLToPath(new URL(`./${folder}/test/global-setup.ts`, import.meta.url))
  return existsSync(setup) ? [setup] : []
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'repository',
          include: [`*${suffix}`],
          exclude: [...skips],
          setupFiles: [KEEP_COMPILED],
          runner: RUNNER,
          ...timeouts,
        },
      },
      ...packages.map((folder) => ({
        test: {
          name: folder.split('/')[1] as string,
          root: `./${folder}`,
          include: [`src/**/*${suffix}`, `test/**/*${suffix}`, ...also],
          exclude: [...skips],
          globalSetup: setupOf(folder),
          setupFiles: [KEEP_COMPILED],
          runner: RUNNER,
          isolate: isolated(folder.split('/')[1] as string),
          ...loaderOf(folder.split('/')[1] as string),
          ...timeouts,
        },
      })),
    ],
    globalSetup: fileURLToPath(new URL('./packages/read-model/src/testing/engine-pool.ts', import.meta.url)),
    pool: 'forks',
    // Vitest leaves one core to itself, which on a small machine is half of it; its own process has little to do. A file of the first tier waits
    // for an engine a fifth of its time; one more worker uses that time.
    maxWorkers: availableParallelism() + (tier === 'unit' ? 1 : 0),
    passWithNoTests: true,
    sequence: tier === 'system' ? { sequencer: TestOrder } : {},
    teardownTimeout: 120_000,
  },
})
