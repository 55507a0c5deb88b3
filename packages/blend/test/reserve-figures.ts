// Reserves of the vectors as our values: figures by the contract's own names.

import type { ReserveConfig, ReserveData } from '../src/chain/values.ts'

export type Figures = Readonly<Record<string, string | number>>

export const figure = (value: string | number | undefined): bigint => BigInt(value ?? 0)

export function configOf(config: Figures): ReserveConfig {
  return {
    index: 0,
    decimals: 7,
    cFactor: figure(config.c_factor),
    lFactor: figure(config.l_factor),
    util: figure(config.util),
    maxUtil: figure(config.max_util),
    rBase: figure(config.r_base),
    rOne: figure(config.r_one),
    rTwo: figure(config.r_two),
    rThree: figure(config.r_three),
    reactivity: figure(config.reactivity),
    supplyCap: null,
    enabled: null,
  }
}

export function dataOf(data: Figures): ReserveData {
  return {
    bRate: figure(data.b_rate),
    bSupply: figure(data.b_supply),
    dRate: figure(data.d_rate),
    dSupply: figure(data.d_supply),
    rateModifier: figure(data.ir_mod),
    backstopCredit: figure(data.backstop_credit),
    lastTime: figure(data.last_time),
  }
}
