// Environment variables of tests.

import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder of another recorded network that the ground-truth tests run on instead of the shipped one; null for the shipped one. */
export const groundTruthDir = process.env.ORRERY_TEST_RECORDING || null

/** The tier of tests that is running (CONTRIBUTING.md). */
export const testTier = process.env.ORRERY_TEST_TIER || 'unit'

/** Whether the ground-truth tests run on three shards instead of one embedded engine. */
export const isSharded = process.env.ORRERY_TEST_SHARDED === '1'

/** Whether the run has every test file of its tier, so that what several files share can be made before the first of them asks. */
export const isWholeTier = process.env.ORRERY_TEST_WHOLE_TIER === '1'

/** The folder for downloads of tests, which is kept between runs. */
export const testCacheFolder =
  process.env.ORRERY_TEST_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orrery-tests')

/** Where Node keeps what it compiled in processes of tests (`vitest.config.ts`): programs that tests start use it too. Empty: it keeps nothing. */
export const compiledFolder = process.env.NODE_COMPILE_CACHE || ''

/** An existing folder for pictures of pages in a browser; null: none are taken. */
export const screenshotsDir = process.env.ORRERY_TEST_SCREENSHOTS || null
