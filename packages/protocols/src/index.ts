export { PROTOCOLS, protocolsOf } from './protocols.ts'
