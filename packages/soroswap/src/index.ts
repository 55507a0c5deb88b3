export { routing } from './registry.ts'
