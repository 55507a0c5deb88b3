// What every test may ask of the environment.

/** `npm run test:long`: the same tests, with more of everything and for longer. */
export const isLong = process.env.ORRERY_TEST_LONG === 'true'

/** The folder of another recorded network that the ground-truth tests run on instead of the shipped one; null for the shipped one. */
export const groundTruthDir = process.env.ORRERY_TEST_RECORDING || null
