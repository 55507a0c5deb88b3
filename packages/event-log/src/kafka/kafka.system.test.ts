import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { freePort } from '@orrery/testkit'
import { withKafka } from '@orrery/testkit/kafka'
import kafkajs, { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { eventLogContract } from '../contract.ts'
import type { EventLog, LogPartition, LogRecord } from '../event-log.ts'
import { openLog } from '../open.ts'

const kafka = withKafka()
const open = (retryForMs = 120_000): Promise<EventLog> => openLog(`kafka:${kafka.broker.address}`, { retryForMs })

eventLogContract('Kafka', open, { promptRetention: false })

const KEEP = { partitions: 1, retentionSeconds: null, retentionBytes: null }
let topics = 0
async function aTopic(log: EventLog): Promise<LogPartition> {
  const topic = `kafka.${process.pid}.${topics++}`
  await log.ensureTopic(topic, KEEP)
  return { topic, partition: 0 }
}

/** A client of another program. */
const another = (): Kafka => new Kafka({ brokers: [kafka.broker.address], logLevel: logLevel.NOTHING })

/** Warnings of Node since this file began. */
const warnings: string[] = []
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`))

const text = (value: unknown): Uint8Array => Buffer.from(String(value))
const textOf = ({ value }: LogRecord): string => Buffer.from(value).toString()

/** The records from `offset` on, until `isLast`. */
async function readUntil(log: EventLog, at: LogPartition, offset: bigint, isLast: (record: LogRecord) => boolean): Promise<LogRecord[]> {
  const records: LogRecord[] = []
  const stop = new AbortController()
  for await (const batch of log.read(at, offset, stop.signal)) {
    records.push(...batch)
    if (records.some(isLast)) stop.abort()
  }
  return records
}

describe('a topic in Kafka', () => {
  it('a topic is created without compaction, expiry and size limits, and changed settings are restored', async () => {
    await using log = await open()
    const { topic } = await aTopic(log)
    const admin = another().admin()
    const about = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic }
    const settings = async (): Promise<Record<string, string>> => {
      const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [about] })
      return Object.fromEntries(
        resources.flatMap(({ configEntries }) => configEntries.map((entry) => [entry.configName, entry.configValue])),
      )
    }
    const wanted = {
      'cleanup.policy': 'delete',
      'retention.ms': '-1',
      'retention.bytes': '-1',
      'max.message.bytes': '10485880',
      'message.timestamp.type': 'LogAppendTime',
      'unclean.leader.election.enable': 'false',
    }
    await admin.connect()
    await expect.poll(settings).toMatchObject(wanted)

    const changed = [
      { name: 'retention.ms', value: '1000' },
      { name: 'max.message.bytes', value: '2000' },
      { name: 'segment.bytes', value: '20000000' },
    ]
    await admin.alterConfigs({ validateOnly: false, resources: [{ ...about, configEntries: changed }] })
    await expect.poll(settings).toMatchObject({ 'max.message.bytes': '2000' }) // a broker knows it some time later
    await log.ensureTopic(topic, { ...KEEP, retentionSeconds: 60 })
    // Other settings of the operator stay.
    await expect.poll(settings).toMatchObject({ ...wanted, 'retention.ms': '60000', 'segment.bytes': '20000000' })
    await admin.disconnect()
  })

  it('a topic takes twenty megabytes of records in one append and returns them', async () => {
    await using log = await open()
    const at = await aTopic(log)
    const values = Array.from({ length: 20 }, () => randomBytes(1_000_000))
    await log.append(at, values)
    const records = await readUntil(log, at, 0n, ({ offset }) => offset === 19n)
    expect(records.map(({ value }) => Buffer.from(value).equals(values.shift() ?? Buffer.alloc(0)))).toEqual(Array(20).fill(true))
  })

  it('a record that is too large for a topic is refused, with a way out', async () => {
    await using log = await open()
    const at = await aTopic(log)
    await expect(log.append(at, [new Uint8Array(11_000_000)])).rejects.toMatchObject({ kind: 'invalid', code: 'log_record_too_large' })
    await log.append(at, [text('and goes on')])
    expect(textOf((await log.last(at)) as LogRecord)).toBe('and goes on')
  })

  it('a late reader starts at the oldest record that retention has kept', async () => {
    await using log = await open()
    const at = await aTopic(log)
    await log.append(at, ['a', 'b', 'c'].map(text))
    const admin = another().admin()
    await admin.connect()
    await admin.fetchTopicOffsets(at.topic) // a broker deletes only in its own intervals
    await admin.deleteTopicRecords({ topic: at.topic, partitions: [{ partition: 0, offset: '2' }] })
    expect((await readUntil(log, at, 0n, (record) => textOf(record) === 'c')).map(textOf)).toEqual(['c'])
    await admin.deleteTopicRecords({ topic: at.topic, partitions: [{ partition: 0, offset: '3' }] })
    expect([await log.last(at), await log.end(at)]).toEqual([null, 3n])
    await admin.disconnect()
  })

  it('of another program that writes in transactions only committed records are visible, and its markers are skipped', async () => {
    await using log = await open()
    const at = await aTopic(log)
    await log.append(at, [text('ours')])
    const producer = another().producer({ transactionalId: at.topic, maxInFlightRequests: 1, idempotent: true })
    await producer.connect()
    for (const [value, end] of [
      ['theirs', 'commit'],
      ['dropped', 'abort'],
    ] as const) {
      const transaction = await producer.transaction()
      await transaction.send({ topic: at.topic, messages: [{ value, partition: 0 }] })
      await transaction[end]()
    }
    await producer.disconnect()
    expect(textOf((await log.last(at)) as LogRecord)).toBe('theirs')
    await log.append(at, [text('last')])
    expect((await readUntil(log, at, 0n, (record) => textOf(record) === 'last')).map(textOf)).toEqual(['ours', 'theirs', 'last'])
  })
})

describe('a cluster that is down', () => {
  it('a broker that is killed twice while records are appended and read loses and repeats none', { timeout: 600_000 }, async () => {
    await using log = await open()
    const at = await aTopic(log)
    const reading = readUntil(log, at, 0n, (record) => textOf(record) === '299')
    const writing = (async () => {
      for (let n = 0; n < 300; n += 10)
        await log.append(
          at,
          Array.from({ length: 10 }, (_, m) => text(n + m)),
        )
    })()
    for (const until of ['20', '120']) {
      await readUntil(log, at, 0n, (record) => textOf(record) === until)
      await kafka.broker.kill()
      await kafka.broker.restart()
    }
    await writing
    expect((await reading).map(textOf)).toEqual(Array.from({ length: 300 }, (_, n) => String(n)))
  })

  it.each(['silence', 'cutInAnswers'] as const)(
    'a client reconnects after its connection fails (%s), in reading, requests, commits and sharing',
    {
      timeout: 300_000,
    },
    async (fault) => {
      await using log = await openLog(`kafka:${kafka.broker.lineAddress}`, { retryForMs: 40_000, sessionMs: 60_000 })
      const at = await aTopic(log)
      const group = `line.${fault}`
      const stop = new AbortController()
      const shares = log.shares(at.topic, group, stop.signal)[Symbol.asyncIterator]()
      const reading = readUntil(log, at, 0n, (record) => textOf(record) === 'last')
      await log.append(at, [text('first')])
      await log.commit(group, at, 1n)
      const { value: share } = await shares.next()
      kafka.broker.line[fault]()
      await Promise.all([log.last(at), log.end(at), log.committed(group, at), log.commit(group, at, 1n)])
      await log.append(at, [text('last')])
      expect((await reading).map(textOf)).toEqual(['first', 'last'])
      expect([textOf((await log.last(at)) as LogRecord), await log.end(at), await log.committed(group, at)]).toEqual(['last', 2n, 1n])
      expect([share?.partitions, share?.changed.aborted, share?.lost.aborted]).toEqual([[0], false, false])
      stop.abort()
      await shares.return?.()
    },
  )

  it('a cluster that is down for longer than the time for retries is reported as unreachable, and used again later', {
    timeout: 300_000,
  }, async () => {
    await using log = await open(1_000)
    const at = await aTopic(log)
    await log.append(at, [text('before')])
    const reading = log.read(at, 1n, new AbortController().signal)[Symbol.asyncIterator]()
    const read = reading.next()
    const unreachable = { kind: 'unavailable', code: 'log_unreachable' }
    await kafka.broker.kill()
    await Promise.all([
      expect(read).rejects.toMatchObject(unreachable),
      expect(log.append(at, [text('lost')])).rejects.toMatchObject(unreachable),
      expect(log.last(at)).rejects.toMatchObject(unreachable),
      expect(log.commit('group', at, 1n)).rejects.toMatchObject(unreachable),
      expect(open(1_000)).rejects.toMatchObject(unreachable),
    ])
    await kafka.broker.restart()
    await log.append(at, [text('after')])
    expect((await readUntil(log, at, 0n, (record) => textOf(record) === 'after')).map(textOf)).toEqual(['before', 'after'])
  })

  it('appends and a close during an outage cause no warning of Node', { timeout: 300_000 }, async () => {
    const log = await open()
    // What started the broker uses kafkajs as it is, which warns.
    const before = warnings.length
    const topic = `kafka.${process.pid}.away`
    await log.ensureTopic(topic, { ...KEEP, partitions: 16 })
    const appends = () => Array.from({ length: 16 }, (_, partition) => log.append({ topic, partition }, [text('one')]))
    await Promise.all(appends())
    await kafka.broker.kill()
    const failing = Promise.allSettled(appends())
    await kafka.broker.restart()
    await log.close()
    await failing
    expect(warnings.slice(before)).toEqual([])
  })

  it('a cluster is found by any of its addresses, also when the first one does not answer', async () => {
    await using log = await openLog(`kafka:127.0.0.1:${await freePort()},${kafka.broker.address}`, { retryForMs: 20_000 })
    const at = await aTopic(log)
    await log.append(at, [text('found')])
    expect((await readUntil(log, at, 0n, () => true)).map(textOf)).toEqual(['found'])
    await log.commit('addresses', at, 1n)
    expect([await log.end(at), await log.committed('addresses', at)]).toEqual([1n, 1n])
  })

  it('a cluster is found again by the brokers that it names when its first address no longer answers', { timeout: 300_000 }, async () => {
    const arrived = new Set<Socket>()
    const entrance = createServer((socket) => {
      arrived.add(socket)
      const broker = connect(Number(kafka.broker.address.split(':')[1]), '127.0.0.1')
      for (const end of [socket, broker]) end.on('error', () => undefined)
      socket.pipe(broker).pipe(socket)
    })
    await once(entrance.listen(0, '127.0.0.1'), 'listening')
    await using log = await openLog(`kafka:127.0.0.1:${(entrance.address() as AddressInfo).port}`, { retryForMs: 60_000 })
    const at = await aTopic(log)
    await log.append(at, [text('here')])
    expect(await log.end(at)).toBe(1n)
    for (const socket of arrived) socket.destroy()
    await once(entrance.close(), 'close')
    await kafka.broker.kill()
    await kafka.broker.restart()
    expect(await log.end(at)).toBe(1n)
  })

  it('a cluster with SASL accepts the right password only', async () => {
    const url = `kafka:${kafka.broker.lockedAddress}`
    const us = { user: 'orrery', password: 'open sesame', mechanism: 'plain' } as const
    await using log = await openLog(url, us)
    const at = await aTopic(log)
    await log.append(at, [text('in')])
    expect((await readUntil(log, at, 0n, () => true)).map(textOf)).toEqual(['in'])
    await expect(openLog(url, { ...us, password: 'close sesame' })).rejects.toMatchObject({ kind: 'invalid', code: 'log_access_denied' })
  })
})
