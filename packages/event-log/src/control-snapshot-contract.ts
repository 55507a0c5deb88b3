// What a reader may expect of snapshots of the control topic, checked on a real driver.

import type { ProtocolId } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { type ControlRecord, encodeControl } from './control-codec.ts'
import { type ControlSnapshot, encodeControlSnapshot, readControlSnapshot } from './control-snapshot.ts'
import type { EventLog, LogPartition } from './event-log.ts'
import { controlSnapshotTopic, controlTopic } from './topics.ts'

const HASH = (ledger: number): string => ledger.toString(16).padStart(64, '0')
const ledgerRecord = (ledger: number): ControlRecord => ({
  kind: 'ledger',
  ledger,
  hash: HASH(ledger),
  closeTimeSeconds: 1_700_000_000 + 5 * ledger,
  hourStart: false,
  dayStart: false,
})
/** Each call of `open` opens the same log again. `protocol`: one that the process has loaded. */
export function controlSnapshotContract(driver: string, open: () => Promise<EventLog>, protocol: ProtocolId): void {
  const START: ControlRecord = {
    kind: 'start',
    network: 'test',
    passphrase: 'A test network',
    firstLedger: 1,
    partitions: { [protocol]: 4 },
  }

  /** An entry whose value has `bytes` bytes. */
  function bootstrapRecord(bytes: number): ControlRecord {
    const value = new Uint8Array(bytes).fill(7)
    return {
      ...{ kind: 'bootstrap', ledger: 1, protocol, contract: `C${'A'.repeat(55)}`, key: new Uint8Array([1, 2]) },
      ...{ durability: 'persistent', value, asOfLedger: 1, lastModifiedLedger: 0, liveUntilLedger: 9 },
    }
  }

  describe(`snapshots of the control topic on ${driver}`, () => {
    let networks = 0

    /** A control topic of ledgers 1 to 20, one to a record. */
    async function aTopic(log: EventLog) {
      const network = `snapshots-${process.pid}-${Date.now()}-${networks++}`
      const at: LogPartition = { topic: controlSnapshotTopic(network), partition: 0 }
      const control: LogPartition = { topic: controlTopic(network), partition: 0 }
      for (const { topic } of [at, control]) await log.ensureTopic(topic, { partitions: 1, retentionSeconds: null, retentionBytes: null })
      await log.append(control, [encodeControl([START]), ...Array.from({ length: 20 }, (_, n) => encodeControl([ledgerRecord(n + 1)]))])
      const snapshot = (ledger: number, more: readonly ControlRecord[] = []): ControlSnapshot => ({
        ...{ offset: BigInt(ledger), ledger, hash: HASH(ledger), records: [START, ...more, ledgerRecord(ledger)] },
      })
      return { network, at, control, snapshot }
    }

    it('a log without snapshots has none', async () => {
      await using log = await open()
      expect(await readControlSnapshot(log, 'never-made')).toBeNull()
      expect(await readControlSnapshot(log, (await aTopic(log)).network)).toBeNull()
    })

    it('the newest snapshot of a ledger up to the requested one is read', async () => {
      await using log = await open()
      const { network, at, snapshot } = await aTopic(log)
      for (const ledger of [3, 9, 15]) await log.append(at, encodeControlSnapshot(snapshot(ledger)))
      expect(await readControlSnapshot(log, network)).toEqual(snapshot(15))
      for (const [upTo, found] of [
        [15, 15],
        [14, 9],
        [9, 9],
        [3, 3],
      ] as const)
        expect(await readControlSnapshot(log, network, upTo)).toEqual(snapshot(found))
      expect(await readControlSnapshot(log, network, 2)).toBeNull()
    })

    it('a snapshot that is larger than a record is read from its parts, and one without all of them is skipped', async () => {
      await using log = await open()
      const { network, at, snapshot } = await aTopic(log)
      const large = snapshot(
        5,
        Array.from({ length: 30 }, () => bootstrapRecord(60_000)),
      )
      const parts = encodeControlSnapshot(large)
      expect(parts.length).toBeGreaterThan(3)
      await log.append(at, parts)
      const isLarge = async (): Promise<boolean> => {
        const found = await readControlSnapshot(log, network)
        return found !== null && Buffer.concat(encodeControlSnapshot(found)).equals(Buffer.concat(parts))
      }
      expect(await isLarge()).toBe(true)
      // Writers that ended between two parts.
      const unfinished = encodeControlSnapshot({ ...large, offset: 8n, ledger: 8, hash: HASH(8) })
      for (const count of [1, 2, parts.length - 1]) await log.append(at, unfinished.slice(0, count))
      await log.append(at, unfinished.slice(1))
      expect(await isLarge()).toBe(true)
    })

    it('values that are broken or of another format are skipped, however many there are', async () => {
      await using log = await open()
      const { network, at, snapshot } = await aTopic(log)
      await log.append(at, encodeControlSnapshot(snapshot(4)))
      const [value = new Uint8Array()] = encodeControlSnapshot(snapshot(6))
      const broken = Array.from(value, (_, n) => value.map((byte, index) => (index === n ? byte ^ 1 : byte)))
      await log.append(at, [...broken, value.subarray(0, -1), new Uint8Array()])
      expect(await readControlSnapshot(log, network)).toEqual(snapshot(4))
    })

    it('a snapshot whose last record the control topic does not have there belongs to another topic and is skipped', async () => {
      await using log = await open()
      const { network, at, snapshot } = await aTopic(log)
      await log.append(at, encodeControlSnapshot(snapshot(4)))
      await log.append(at, encodeControlSnapshot({ ...snapshot(6), offset: 7n }))
      await log.append(at, encodeControlSnapshot({ ...snapshot(6), hash: HASH(7) }))
      await log.append(at, encodeControlSnapshot({ ...snapshot(6), offset: 600n }))
      expect(await readControlSnapshot(log, network)).toEqual(snapshot(4))
    })
  })
}
