export { type ControlFollower, type ControlFollowerOptions, hasFirstWord, startControlFollower } from './control-follower.ts'
export { runAdapter } from './main.ts'
export type { AdapterOptions, PartitionStatus, RunningAdapter } from './running-adapter.ts'
export { startAdapter } from './start-adapter.ts'
