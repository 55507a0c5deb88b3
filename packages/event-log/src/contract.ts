// The promises of `EventLog`, checked on a real driver. A driver is right when this suite passes on it.

import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { EventLog, LogPartition, LogRecord, TopicSettings } from './event-log.ts'

/** What a driver may leave out. */
export interface Supports {
  /** Retention by bytes is kept as soon as `append` resolves, not by a cleaner later. */
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
      it('gives records back in the order they were appended, in growing offsets', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await log.append(at, [text('a'), text('b')])
        await log.append(at, [text('c')])
        const records = await take(log, at, 0n, 3)
        expect(records.map(textOf)).toEqual(['a', 'b', 'c'])
        expect(growing(records)).toBe(true)
      })

      it('starts at the offset asked for', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await log.append(at, ['a', 'b', 'c'].map(text))
        const [, second] = await take(log, at, 0n, 3)
        expect((await take(log, at, second?.offset ?? -1n, 2)).map(textOf)).toEqual(['b', 'c'])
      })

      it('keeps partitions and topics apart', async () => {
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

      it('gives values back byte for byte, the empty one and one of 900 kB included', async () => {
        await using log = await open()
        const at = await aTopic(log)
        const big = Uint8Array.from({ length: 900_000 }, (_, n) => (n * 31 + (n >> 7)) & 0xff)
        await log.append(at, [new Uint8Array(), big, Uint8Array.of(0, 255)])
        const values = (await take(log, at, 0n, 3)).map(({ value }) => Buffer.from(value).toString('base64'))
        expect(values).toEqual(['', Buffer.from(big).toString('base64'), 'AP8='])
      })

      it('does nothing when nothing is appended', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await log.append(at, [])
        expect(await log.last(at)).toBeNull()
      })
    })

    describe('memory', () => {
      it('keeps what it acknowledged when it is opened again', async () => {
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

      it('shows one opening what another one appends', async () => {
        await using writer = await open()
        await using reader = await open()
        const at = await aTopic(writer)
        const arriving = take(reader, at, 0n, 1)
        await writer.append(at, [text('a')])
        expect((await arriving).map(textOf)).toEqual(['a'])
      })

      it('keeps the places of two groups apart, and of a group in two partitions', async () => {
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

      it('says 0 for a group that never committed', async () => {
        await using log = await open()
        expect(await log.committed('nobody', await aTopic(log))).toBe(0n)
      })
    })

    describe('reading on', () => {
      it('waits at the end and delivers what comes later', async () => {
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

      it('ends quietly when reading is aborted, while it waits and before it began', async () => {
        await using log = await open()
        const at = await aTopic(log)
        const stop = new AbortController()
        const reading = everything(log.read(at, 0n, stop.signal))
        stop.abort()
        expect(await reading).toEqual([])
        expect(await everything(log.read(at, 0n, AbortSignal.abort()))).toEqual([])
      })

      it('ends reading when the log is closed', async () => {
        const log = await open()
        const at = await aTopic(log)
        const reading = everything(log.read(at, 0n, new AbortController().signal))
        await log.close()
        expect(await reading).toEqual([])
        await log.close()
      })

      it('serves several readers while it is appended to', async () => {
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

      it('reads a topic that is made only later', async () => {
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
      it('knows the newest record and where the next one goes', async () => {
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

      it('tells a reader at its end that it has seen everything', async () => {
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
      it('accepts the same topic again and refuses another number of partitions', async () => {
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

      it('refuses to append to a topic that nobody made, and to a partition that it does not have', async () => {
        await using log = await open()
        const at = await aTopic(log)
        await expect(log.append({ topic: `${at.topic}.not`, partition: 0 }, [text('a')])).rejects.toMatchObject({ kind: 'invalid' })
        await expect(log.append({ ...at, partition: 2 }, [text('a')])).rejects.toMatchObject({ kind: 'invalid' })
      })
    })

    describe('shares', () => {
      it('gives everything to a process that is alone, until it stops', async () => {
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

      it('waits for a topic that is made only later, and ends quietly when it is stopped before', async () => {
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

      it('drops nothing while there is room', async () => {
        await using log = await open()
        const at = await aTopic(log, short)
        await log.append(at, ['a', 'b'].map(text))
        expect((await take(log, at, 0n, 2)).map(textOf)).toEqual(['a', 'b'])
      })

      it.runIf(supports.promptRetention)(
        'drops the oldest records beyond its bytes, and starts a late reader at the oldest one kept',
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

      it.runIf(supports.promptRetention)('never drops the newest record, and never reuses an offset', async () => {
        await using log = await open()
        const at = await aTopic(log, { ...short, retentionBytes: 0 })
        await log.append(at, ['a', 'b', 'c'].map(text))
        const last = (await log.last(at)) as LogRecord
        expect(textOf(last)).toBe('c')
        await log.append(at, [text('d')])
        expect(((await log.last(at)) as LogRecord).offset).toBeGreaterThan(last.offset)
      })

      it('may be changed', async () => {
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

/** The first `count` records from `offset` on, waiting for them if need be. */
async function take(log: EventLog, at: LogPartition, offset: bigint, count: number): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  const stop = new AbortController()
  for await (const batch of log.read(at, offset, stop.signal)) {
    records.push(...batch)
    if (records.length >= count) stop.abort()
  }
  return records.slice(0, count)
}
