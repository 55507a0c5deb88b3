export { type ControlFollower, type ControlFollowerOptions, hasFirstWord, startControlFollower } from './control-follower.ts'
export { runAdapter } from './main.ts'
export { type AdapterOptions, type PartitionStatus, type RunningAdapter, startAdapter } from './start-adapter.ts'
