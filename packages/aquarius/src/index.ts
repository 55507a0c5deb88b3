export type { AquariusContract } from './describe.ts'
export { aquarius } from './protocol.ts'
export type { AquariusState } from './state.ts'
export { type AquariusView, aquariusView, type FeeWindow } from './view.ts'
