// Limits on wrong credentials that are never reached, for tests of other things.

import type { FailureLimiter, LoginLimiter } from '@orrery/identity'

export const NO_FAILURE_LIMIT: FailureLimiter = {
  fail: async () => ({ wait: null, isLimitReached: false }),
  wait: async () => null,
  forgive: async () => undefined,
}

export const NO_LOGIN_LIMIT: LoginLimiter = {
  admit: async () => null,
  fail: async () => ({ wait: null, reached: [] }),
  succeed: async () => undefined,
}
