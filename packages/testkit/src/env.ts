// What every test may ask of the environment.

/** The folder of another recorded network that the ground-truth tests run on instead of the shipped one; null for the shipped one. */
export const groundTruthDir = process.env.ORRERY_TEST_RECORDING || null

/** The tier of tests that runs (CONTRIBUTING.md). */
export const testTier = process.env.ORRERY_TEST_TIER || 'unit'
