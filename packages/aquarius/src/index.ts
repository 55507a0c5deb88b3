export type { FeeWindow } from '@orrery/fold-kit'
export { aquarius } from './protocol.ts'
export type { AquariusState } from './state/state.ts'
export { type AquariusView, aquariusView } from './view/view.ts'
