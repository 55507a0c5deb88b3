// The only place of the testkit that reads the environment.

import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder for downloads of tests, which is kept between runs. */
export const testCacheFolder =
  process.env.ORRERY_TEST_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orrery-tests')

/** The Java that JAVA_HOME names, or else the one on the path. */
export const javaCommand = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java'
