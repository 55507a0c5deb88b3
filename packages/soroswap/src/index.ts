export { soroswap } from './protocol.ts'
export type { SoroswapState } from './state.ts'
export { type FeeWindow, type SoroswapView, soroswapView } from './view.ts'
