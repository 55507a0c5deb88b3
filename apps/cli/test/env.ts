// The only place of these tests that reads the environment.

/** `npm run test:long`: the same faults, more of them and for longer. */
export const isLong = process.env.ORRERY_TEST_LONG === 'true'
