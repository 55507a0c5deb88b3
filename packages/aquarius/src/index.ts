export type { AquariusState } from './state.ts'
export type { AquariusContract, AquariusView, FeeWindow } from './view.ts'
