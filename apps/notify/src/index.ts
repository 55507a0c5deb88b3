export { runNotify } from './main.ts'
export { type NotifyOptions, type RunningNotify, startNotify } from './start-notify.ts'
