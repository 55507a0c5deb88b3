export { type ControlFollower, type ControlFollowerOptions, hasStartRecords, startControlFollower } from './control-follower.ts'
export { runAdapter } from './main.ts'
export type { AdapterOptions, PartitionStatus, RunningAdapter } from './running-adapter.ts'
export { startAdapter } from './start-adapter.ts'
