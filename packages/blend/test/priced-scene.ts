// A scene with prices: an oracle of Reflector's kind, whose instance holds one round of dollars with 14 decimals.

import { type ContractId, sc } from '@orrery/ledger'
import type { Network, OracleConfig } from '@orrery/protocol-kit'
import { entry, type MadeRecord, oracle, Scene } from './scene.ts'

export const feed = (contract: ContractId): OracleConfig => ({
  contract,
  kind: 'reflector',
  base: { kind: 'symbol', symbol: 'USD' },
  decimals: 14,
})

/** The oracle that the scene's pool asks is in the registry, after `others`. */
export function pricedScene(others: readonly ContractId[] = [], deployments: Network['deployments']['blend'] = []): Scene {
  return new Scene('v2', [], deployments, [...others, oracle].map(feed))
}

/** The price of an oracle from the scene's newest ledger on, in cents. */
export function quotes(scene: Scene, cents: Readonly<Record<ContractId, number>>, contract: ContractId = oracle): MadeRecord {
  const ms = BigInt(scene.at.closeTimeSeconds) * 1000n
  const assets = Object.keys(cents)
  const prices = Object.values(cents).map((price) => sc.i128(BigInt(price) * 10n ** 12n))
  const round = sc.struct({ mask: sc.bytes(new Uint8Array([2 ** assets.length - 1])), prices: sc.vec(...prices) })
  const instance = sc.instance(
    { kind: 'wasm', hash: '34'.repeat(32) },
    [sc.string('assets'), sc.vec(...assets.map((asset) => sc.vec(sc.symbol('Stellar'), sc.address(asset))))],
    [sc.string('base_asset'), sc.vec(sc.symbol('Other'), sc.symbol('USD'))],
    [sc.string('cache'), sc.vec(sc.vec(sc.u64(ms), round))],
    [sc.string('decimals'), sc.u32(14)],
    [sc.string('last_timestamp'), sc.u64(ms)],
    [sc.string('protocol'), sc.u32(2)],
    // An hour, so that a price outlives the ledgers of a scene, which are ten minutes long.
    [sc.string('resolution'), sc.u32(3_600_000)],
  )
  return entry(contract, sc.instanceKey(), instance)
}
