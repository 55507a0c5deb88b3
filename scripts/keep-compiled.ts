// Writes what Node has compiled in this process to its cache (NODE_COMPILE_CACHE), which Node itself does at a normal end: the test runner ends its
// processes otherwise.

import { flushCompileCache } from 'node:module'
import { afterAll } from 'vitest'

afterAll(() => flushCompileCache())
