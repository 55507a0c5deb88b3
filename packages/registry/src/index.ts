export { compareRegistries, type RegistryDifferences } from './compare-registries.ts'
export { loadNetwork } from './load-network.ts'
export { networkFromJson } from './network-from-json.ts'
export { networkFromText, recordedNetwork, registryText } from './registry-document.ts'
