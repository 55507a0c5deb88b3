export { loadNetwork, networkFromJson } from './networks.ts'
export { PROTOCOLS, protocolsOf } from './protocols.ts'
export { sharedContractsOf } from './shared-contracts.ts'
