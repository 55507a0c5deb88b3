export { NODE_24, node20 } from './node-versions.ts'
export { PackedPackages } from './packed-packages.ts'
export { diagnosticsOf, TYPESCRIPT_VERSIONS } from './typescripts.ts'
