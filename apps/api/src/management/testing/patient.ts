// Limits on wrong credentials that are never reached, for tests of something else.

import type { FailureLimiter, LoginLimiter } from '@orrery/identity'

export const PATIENT: FailureLimiter = {
  fail: async () => ({ wait: null, isLimitReached: false }),
  wait: async () => null,
  forgive: async () => undefined,
}

export const PATIENT_LOGINS: LoginLimiter = {
  admit: async () => null,
  fail: async () => ({ wait: null, reached: [] }),
  succeed: async () => undefined,
}
