// Guarantees of every fold about a token's own instance: the same rows in every protocol, and one meaning of a bootstrap entry.

import { type EntryRecord, sc, writeScVal } from '@orrery/ledger'
import type { Network, Protocol, StateRow } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { testContract } from '../test-names.ts'
import { Scene } from './scene.ts'

/** The part of a state that the suite uses. */
interface WithAssets {
  readonly assets: ReadonlyMap<string, { readonly decimals: number; readonly name: string; readonly symbol: string }>
}

const TOKEN = testContract('a token of its own')
const OLD = { decimals: 18, name: 'Old name', symbol: 'OLD' }
const NEW = { decimals: 6, name: 'New name', symbol: 'NEW' }

/** Registers the suite. */
export function tokenContract<State extends WithAssets>(protocol: Protocol<State>, network: Network): void {
  /** Folds one more ledger with these records of the token's instance, which every partition receives. */
  const fold = (scene: Scene<State>, ...records: readonly EntryRecord[]): readonly StateRow[] => {
    const slice = scene.slice([])
    const all = [...records.map((record) => ({ class: 'shared', record }) as const), ...slice.records]
    const { state } = scene.adapter.fold(scene.state, { ...slice, records: all })
    return state.filter((row) => row.contract === TOKEN)
  }
  const rowOf = (metadata: typeof OLD, ledger: number, inferred: boolean) => ({
    ...{ key: 'asset', owner: '', ledger, inferred, removed: false, durability: 'fact', scope: 65_535, liveUntil: 0 },
    value: JSON.stringify({ decimals: metadata.decimals.toString(), name: metadata.name, symbol: metadata.symbol }),
  })

  describe(`a token's own instance in the fold of ${protocol.displayName}`, () => {
    it.each([
      ['whose value before this ledger is certain', OLD],
      ['that was written since, so that its value before this ledger is unknown', null],
    ])('a bootstrap entry %s fills unknown facts, as inferred of the ledger before', (_, before) => {
      const scene = new Scene(protocol, network)
      scene.slice([])
      const rows = fold(scene, instance('bootstrap', OLD, before))
      expect(rows).toMatchObject([rowOf(OLD, 1, true)])
      expect(rows).toHaveLength(1)
      expect(scene.state.assets.get(TOKEN)).toEqual(OLD)
      // A restart between the row and its ledger, and any later one, has the facts.
      expect(scene.adapter.load(rows, 1).assets.get(TOKEN)).toEqual(OLD)
    })

    it.each([
      ['an entry of a ledger', instance('created', OLD, null)],
      ['an earlier bootstrap entry', instance('bootstrap', OLD, OLD)],
    ])('a bootstrap entry never overwrites facts of %s', (_, known) => {
      const scene = new Scene(protocol, network)
      scene.slice([])
      fold(scene, known)
      expect(fold(scene, instance('bootstrap', NEW, null))).toEqual([])
      expect(fold(scene, instance('bootstrap', NEW, NEW))).toEqual([])
      expect(scene.state.assets.get(TOKEN)).toEqual(OLD)
    })

    it('an entry of a ledger is a row of that ledger, also after a bootstrap entry, and no row when nothing changed', () => {
      const scene = new Scene(protocol, network)
      scene.slice([])
      fold(scene, instance('bootstrap', OLD, null))
      expect(fold(scene, instance('updated', OLD, OLD))).toEqual([])
      const rows = fold(scene, instance('updated', NEW, OLD))
      expect(rows).toMatchObject([rowOf(NEW, 4, false)])
      expect(rows).toHaveLength(1)
      expect(scene.state.assets.get(TOKEN)).toEqual(NEW)
    })

    it('a removed instance leaves the known facts', () => {
      const scene = new Scene(protocol, network)
      fold(scene, instance('created', OLD, null))
      expect(fold(scene, { ...instance('updated', OLD, OLD), change: 'removed', value: null })).toEqual([])
      expect(scene.state.assets.get(TOKEN)).toEqual(OLD)
    })
  })
}

function instance(change: EntryRecord['change'], now: typeof OLD, before: typeof OLD | null): EntryRecord {
  const bytes = ({ decimals, name, symbol }: typeof OLD) => {
    const metadata = sc.struct({ decimal: sc.u32(decimals), name: sc.string(name), symbol: sc.string(symbol) })
    return writeScVal(sc.instance({ kind: 'stellar_asset' }, [sc.symbol('METADATA'), metadata]))
  }
  return {
    kind: 'entry',
    contract: TOKEN,
    key: writeScVal(sc.instanceKey()),
    durability: 'persistent',
    change,
    value: bytes(now),
    before: before === null ? null : bytes(before),
    liveUntil: null,
    tx: -1,
    opIndex: 0,
    index: 0,
  }
}
