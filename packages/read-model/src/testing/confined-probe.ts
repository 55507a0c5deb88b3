// A process that confines itself as the engine does and then executes a script that tries forbidden calls.
// Usage: node confined-probe.ts <Allowed as JSON> <script> [arguments of the script]

import { type Allowed, confineThisThread } from '../host/landlock.ts'

const [rules = '', script = '', ...args] = process.argv.slice(2)
const allowed = JSON.parse(rules) as Allowed
const { sharedObjects } = process.report.getReport() as { readonly sharedObjects: readonly string[] }
const libraries = sharedObjects.filter((path) => path.startsWith('/'))
const problem = confineThisThread({ ...allowed, execute: [process.execPath, ...libraries] })
if (problem !== null) throw new Error(problem)
process.execve?.(process.execPath, [process.execPath, '--openssl-config=/dev/null', '--input-type=module', '-e', script, ...args], {})
