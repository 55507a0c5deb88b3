// Environment variables of tests.

/** The folder of another recorded network that the ground-truth tests run on instead of the shipped one; null for the shipped one. */
export const groundTruthDir = process.env.ORRERY_TEST_RECORDING || null

/** The tier of tests that is running (CONTRIBUTING.md). */
export const testTier = process.env.ORRERY_TEST_TIER || 'unit'

/** Whether the run has every test file of its tier, so that what several files share can be made before the first of them asks. */
export const isWholeTier = process.env.ORRERY_TEST_WHOLE_TIER === '1'
