// What every test may ask of the environment.

/** `npm run test:long`: the same tests, with more of everything and for longer. */
export const isLong = process.env.ORRERY_TEST_LONG === 'true'
