export { toyswap } from './protocol.ts'
