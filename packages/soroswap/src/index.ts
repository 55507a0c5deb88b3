export type { FeeWindow } from '@orrery/fold-kit'
export { soroswap } from './protocol.ts'
export type { SoroswapState } from './state/state.ts'
export { type SoroswapView, soroswapView } from './view/view.ts'
