// Short constructors of ScVals, for keys and for tests: `writeScVal(sc.vec(sc.symbol('Balance'), sc.address(holder)))`.

import type { Address } from './record.ts'
import type { Executable, ScMapEntry, ScVal } from './scval.ts'

export const sc = {
  bool: (value: boolean): ScVal => ({ type: 'bool', value }),
  void: (): ScVal => ({ type: 'void' }),
  u32: (value: number): ScVal => ({ type: 'u32', value }),
  i32: (value: number): ScVal => ({ type: 'i32', value }),
  u64: (value: bigint): ScVal => ({ type: 'u64', value }),
  i64: (value: bigint): ScVal => ({ type: 'i64', value }),
  u128: (value: bigint): ScVal => ({ type: 'u128', value }),
  i128: (value: bigint): ScVal => ({ type: 'i128', value }),
  u256: (value: bigint): ScVal => ({ type: 'u256', value }),
  bytes: (value: Uint8Array): ScVal => ({ type: 'bytes', value }),
  string: (value: string): ScVal => ({ type: 'string', value }),
  symbol: (value: string): ScVal => ({ type: 'symbol', value }),
  address: (value: Address): ScVal => ({ type: 'address', value }),
  vec: (...value: readonly ScVal[]): ScVal => ({ type: 'vec', value }),
  /** Pairs stay in the given order; the host requires them sorted by key. */
  map: (...pairs: readonly (readonly [ScVal, ScVal])[]): ScVal => ({
    type: 'map',
    value: pairs.map(([key, val]): ScMapEntry => ({ key, val })),
  }),
  /** A map with Symbol keys, sorted as by the host: the form of a struct. */
  struct: (members: Readonly<Record<string, ScVal>>): ScVal =>
    sc.map(
      ...Object.entries(members)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => [sc.symbol(name), value] as const),
    ),
  instance: (executable: Executable, ...pairs: readonly (readonly [ScVal, ScVal])[]): ScVal => ({
    type: 'instance',
    executable,
    storage: pairs.length === 0 ? null : pairs.map(([key, val]) => ({ key, val })),
  }),
  instanceKey: (): ScVal => ({ type: 'instance_key' }),
}
