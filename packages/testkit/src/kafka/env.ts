// Environment variables of the Kafka of tests.

import { join } from 'node:path'

/** The Java that JAVA_HOME names, or else the one on the path. */
export const javaCommand = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java'
