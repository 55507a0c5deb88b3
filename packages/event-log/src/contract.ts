// The guarantees of `EventLog`, checked on a real driver. A driver is correct when this suite passes on it.

import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { EventLog, LogPartition, LogRecord, TopicSettings } from './event-log.ts'

/** Guarantees that a driver may leave out. */
export interface Supports {
  /** Retention by bytes is applied when `append` resolves, not by a cleaner later. */
  readonly promptRetention: boolean
}

const KEEP: TopicSettings = { partitions: 2, retentionSeconds: null, retentionBytes: null }

/** Each call of `open` opens the same log again. */
export function eventLogContract(driver: string, open: () => Promise<EventLog>, supports: Supports = { promptRetention: true }): void {
  describe(`event log on ${driver}`, () => {
    let topics = 0
    /** A new topic for every test. */
    async function aTopic(log: EventLog, settings: TopicSettings = KEEP): Promise<LogPartition> {
      const topic = `contract.${process.pid}.${Date.now()}.${topics++}`
      await log.ensureTopic(topic, settings)
      return { topic, partition: 0 }
    }

    describe('order', () => {
      it('a log returns records in the order in which they were appended, with growing offsets', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await log.append(at, [text('a'), text('b')])
        await log.append(at, [text('c')])
        const records = await take(log, at, 0n, 3)
        expect(records.map(textOf)).toEqual(['a', 'b', 'c'])
        expect(growing(records)).toBe(true)
      })

      it('a read starts at the given offset', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await log.append(at, ['a', 'b', 'c'].map(text))
        const [, second] = await take(log, at, 0n, 3)
        expect((await take(log, at, second?.offset ?? -1n, 2)).map(textOf)).toEqual(['b', 'c'])
      })

      it('a log keeps partitions and topics separate', async () => {
        await using log = await open()
        const first = await aTopic(log)
        const second = { ...first, partition: 1 }
        const other = await aTopic(log)
        await Promise.all([log.append(first, [text('first')]), log.append(second, [text('second')]), log.append(other, [text('other')])])
        for (const [at, expected] of [
          [first, 'first'],
          [second, 'second'],
          [other, 'other'],
        ] as const) {
          expect((await take(log, at, 0n, 1)).map(textOf)).toEqual([expected])
          expect(textOf((await log.last(at)) as LogRecord)).toBe(expected)
        }
      })

      it('a log returns values byte for byte, an empty one and one of 900 kB included', async () => {
        await using log = await open()
        const at = await aTopic(log)
        const big = Uint8Array.from({ length: 900_000 }, (_, n) => (n * 31 + (n >> 7)) & 0xff)
        await log.append(at, [new Uint8Array(), big, Uint8Array.of(0, 255)])
        const values = (await take(log, at, 0n, 3)).map(({ value }) => Buffer.from(value).toString('base64'))
        expect(values).toEqual(['', Buffer.from(big).toString('base64'), 'AP8='])
      })

      it('an append without values does nothing', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await log.append(at, [])
        expect(await log.last(at)).toBeNull()
      })
    })

    describe('memory', () => {
      it('a log that is opened again has everything that it acknowledged', async () => {
        let at: LogPartition
        {
          await using log = await open()
          at = await aTopic(log)
          await log.append(at, ['a', 'b'].map(text))
          await log.commit('reader', at, 1n)
        }
        await using log = await open()
        expect((await take(log, at, 0n, 2)).map(textOf)).toEqual(['a', 'b'])
        expect(await log.committed('reader', at)).toBe(1n)
        await log.append(at, [text('c')])
        expect((await take(log, at, 0n, 3)).map(textOf)).toEqual(['a', 'b', 'c'])
      })

      it('two openings of a log see the same records', async () => {
        await using writer = await open()
        await using reader = await open()
        const at = await aTopic(writer)
        const arriving = take(reader, at, 0n, 1)
        await writer.append(at, [text('a')])
        expect((await arriving).map(textOf)).toEqual(['a'])
      })

      it('committed offsets are separate for each group and partition', async () => {
        await using log = await open()
        const at = await aTopic(log)
        const other = { ...at, partition: 1 }
        await log.append(at, ['a', 'b', 'c'].map(text))
        await log.append(other, [text('x')])
        await log.commit('one', at, 2n)
        await log.commit('two', at, 3n)
        await log.commit('one', other, 1n)
        expect([await log.committed('one', at), await log.committed('two', at), await log.committed('one', other)]).toEqual([2n, 3n, 1n])
        await log.commit('one', at, 1n)
        expect(await log.committed('one', at)).toBe(1n)
      })

      it('the offset of a group that never committed is 0', async () => {
        await using log = await open()
        expect(await log.committed('unused', await aTopic(log))).toBe(0n)
      })
    })

    describe('reading on', () => {
      it('a reader waits at the end and returns records that are appended later', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await log.append(at, [text('a')])
        const seen: string[] = []
        const stop = new AbortController()
        for await (const batch of log.read(at, 0n, stop.signal)) {
          expect(batch.length).toBeGreaterThan(0)
          seen.push(...batch.map(textOf))
          if (seen.at(-1) === 'a') void delay(5).then(() => log.append(at, [text('b')]))
          if (seen.at(-1) === 'b') stop.abort()
        }
        expect(seen).toEqual(['a', 'b'])
      })

      it('an aborted read ends without an error, while it waits and before it began', async () => {
        await using log = await open()
        const at = await aTopic(log)
        const stop = new AbortController()
        const reading = everything(log.read(at, 0n, stop.signal))
        stop.abort()
        expect(await reading).toEqual([])
        expect(await everything(log.read(at, 0n, AbortSignal.abort()))).toEqual([])
      })

      it('closing the log ends reading', async () => {
        const log = await open()
        const at = await aTopic(log)
        const reading = everything(log.read(at, 0n, new AbortController().signal))
        await log.close()
        expect(await reading).toEqual([])
        await log.close()
      })

      it('several readers can read while records are appended', async () => {
        await using log = await open()
        const at = await aTopic(log)
        const expected = Array.from({ length: 120 }, (_, n) => `${n}`)
        const readers = [take(log, at, 0n, 120), take(log, at, 0n, 120), take(log, at, 0n, 60)]
        for (let from = 0; from < 120; from += 20) await log.append(at, expected.slice(from, from + 20).map(text))
        const [first, second, third] = await Promise.all(readers)
        expect(first?.map(textOf)).toEqual(expected)
        expect(second?.map(textOf)).toEqual(expected)
        expect(third?.map(textOf)).toEqual(expected.slice(0, 60))
      })

      it('a reader may start before its topic exists', async () => {
        await using log = await open()
        const at = { topic: `contract.${process.pid}.${Date.now()}.${topics++}`, partition: 0 }
        expect([await log.last(at), await log.end(at)]).toEqual([null, 0n])
        const arriving = take(log, at, 0n, 1)
        await log.ensureTopic(at.topic, KEEP)
        await log.append(at, [text('a')])
        expect((await arriving).map(textOf)).toEqual(['a'])
      })
    })

    describe('ends', () => {
      it('a log returns the newest record and the offset of the next one', async () => {
        await using log = await open()
        const at = await aTopic(log)
        expect(await log.last(at)).toBeNull()
        await log.append(at, ['a', 'b'].map(text))
        const last = (await log.last(at)) as LogRecord
        expect(textOf(last)).toBe('b')
        expect(await log.end(at)).toBeGreaterThan(last.offset)
        const [, b] = await take(log, at, 0n, 2)
        expect(b?.offset).toBe(last.offset)
      })

      it('a reader whose next offset is the end has read everything', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await log.append(at, ['a', 'b'].map(text))
        const end = await log.end(at)
        const arriving = take(log, at, end, 1)
        await log.append(at, [text('c')])
        expect((await arriving).map(textOf)).toEqual(['c'])
      })
    })

    describe('topics', () => {
      it('a log accepts an existing topic and refuses another number of partitions', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await log.append(at, [text('a')])
        await log.ensureTopic(at.topic, KEEP)
        await expect(log.ensureTopic(at.topic, { ...KEEP, partitions: 3 })).rejects.toMatchObject({
          kind: 'invalid',
          code: 'topic_mismatch',
        })
        expect((await take(log, at, 0n, 1)).map(textOf)).toEqual(['a'])
      })

      it('an append to a missing topic or partition is refused', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await expect(log.append({ topic: `${at.topic}.not`, partition: 0 }, [text('a')])).rejects.toMatchObject({ kind: 'invalid' })
        await expect(log.append({ ...at, partition: 2 }, [text('a')])).rejects.toMatchObject({ kind: 'invalid' })
      })
    })

    describe('shares', () => {
      it('a process that is alone gets all partitions until it stops', async () => {
        await using log = await open()
        const { topic } = await aTopic(log)
        const stop = new AbortController()
        const seen: (readonly number[])[] = []
        for await (const share of log.shares(topic, 'alone', stop.signal)) {
          seen.push(share.partitions)
          expect([share.changed.aborted, share.lost.aborted]).toEqual([false, false])
          stop.abort()
        }
        expect(seen).toEqual([[0, 1]])
      })

      it('a share waits for its topic to be created, and an aborted wait ends without an error', async () => {
        await using log = await open()
        const topic = `contract.${process.pid}.${Date.now()}.${topics++}`
        const stop = new AbortController()
        const never = log.shares(topic, 'early', stop.signal)[Symbol.asyncIterator]()
        const waiting = never.next()
        stop.abort()
        expect(await waiting).toMatchObject({ done: true })
        const arriving = log.shares(topic, 'early', new AbortController().signal)[Symbol.asyncIterator]()
        const share = arriving.next()
        await log.ensureTopic(topic, KEEP)
        expect((await share).value).toMatchObject({ partitions: [0, 1] })
        await arriving.return?.()
      })
    })

    describe('retention', () => {
      const short: TopicSettings = { partitions: 2, retentionSeconds: null, retentionBytes: 10_000 }

      it('retention removes nothing below its limit', async () => {
        await using log = await open()
        const at = await aTopic(log, short)
        await log.append(at, ['a', 'b'].map(text))
        expect((await take(log, at, 0n, 2)).map(textOf)).toEqual(['a', 'b'])
      })

      it.runIf(supports.promptRetention)(
        'retention removes the oldest records beyond its bytes, and a late reader starts at the oldest remaining one',
        async () => {
          await using log = await open()
          const at = await aTopic(log, short)
          for (let n = 0; n < 30; n++) await log.append(at, [new Uint8Array(1_000).fill(n)])
          const end = await log.end(at)
          const stop = new AbortController()
          const kept: LogRecord[] = []
          for await (const batch of log.read(at, 0n, stop.signal)) {
            kept.push(...batch)
            if (batch.at(-1)?.value[0] === 29) stop.abort()
          }
          expect(kept.length).toBeLessThanOrEqual(10)
          expect(kept.length).toBeGreaterThanOrEqual(5)
          expect(kept.map(({ value }) => value[0])).toEqual(Array.from({ length: kept.length }, (_, n) => 30 - kept.length + n))
          expect(await log.end(at)).toBe(end)
        },
      )

      it.runIf(supports.promptRetention)('retention never removes the newest record, and offsets are never reused', async () => {
        await using log = await open()
        const at = await aTopic(log, { ...short, retentionBytes: 0 })
        await log.append(at, ['a', 'b', 'c'].map(text))
        const last = (await log.last(at)) as LogRecord
        expect(textOf(last)).toBe('c')
        await log.append(at, [text('d')])
        expect(((await log.last(at)) as LogRecord).offset).toBeGreaterThan(last.offset)
      })

      it('retention of a topic can be changed', async () => {
        await using log = await open()
        const at = await aTopic(log, short)
        await log.append(at, [text('a')])
        await log.ensureTopic(at.topic, { ...short, retentionBytes: null })
        expect(textOf((await log.last(at)) as LogRecord)).toBe('a')
      })
    })
  })
}

function text(value: string): Uint8Array {
  return Buffer.from(value)
}

function textOf(record: LogRecord): string {
  return Buffer.from(record.value).toString()
}

function growing(records: readonly LogRecord[]): boolean {
  return records.every((record, n) => n === 0 || record.offset > (records[n - 1] as LogRecord).offset)
}

/** All batches until reading ends. */
async function everything(reading: AsyncIterable<readonly LogRecord[]>): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  for await (const batch of reading) records.push(...batch)
  return records
}

/** The first `count` records from `offset` on; waits for them. */
async function take(log: EventLog, at: LogPartition, offset: bigint, count: number): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  const stop = new AbortController()
  for await (const batch of log.read(at, offset, stop.signal)) {
    records.push(...batch)
    if (records.length >= count) stop.abort()
  }
  return records.slice(0, count)
}
