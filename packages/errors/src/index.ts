export { counted, numbered } from './counted.ts'
export { assert, type ErrorContext, type ErrorKind, OrreryError } from './orrery-error.ts'
export { reasonOf } from './reason-of.ts'
