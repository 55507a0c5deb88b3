export { loadNetwork } from './load-network.ts'
export { networkFromJson } from './network-from-json.ts'
