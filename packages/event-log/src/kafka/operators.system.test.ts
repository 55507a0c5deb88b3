// Options of operators: in-sync replicas, names that share a cluster, and clusters whose topics the operator creates.

import { withKafka } from '@orrery/testkit/kafka'
import kafkajs, { Kafka, logLevel } from 'kafkajs'
import { expect, it } from 'vitest'
import type { EventLog } from '../event-log.ts'
import { openLog } from '../open.ts'
import type { KafkaOptions } from './kafka-options.ts'

const kafka = withKafka()
const open = (options: KafkaOptions = {}): Promise<EventLog> => openLog(`kafka:${kafka.broker.address}`, { retryForMs: 60_000, ...options })
const KEEP = { partitions: 2, retentionSeconds: null, retentionBytes: null }

async function withAdmin<T>(work: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
  const admin = new Kafka({ brokers: [kafka.broker.address], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}

function settingsOf(topic: string): Promise<Record<string, string>> {
  return withAdmin(async (admin) => {
    const about = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic }
    const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [about] })
    return Object.fromEntries(resources.flatMap(({ configEntries }) => configEntries.map((entry) => [entry.configName, entry.configValue])))
  })
}

async function firstOf(log: EventLog, topic: string): Promise<string> {
  for await (const batch of log.read({ topic, partition: 0 }, 0n, new AbortController().signal))
    for (const { value } of batch) return Buffer.from(value).toString()
  throw new Error('The log ended.')
}

it('a new topic gets the requested min.insync.replicas, and an existing topic with less is refused unchanged', async () => {
  await using two = await open({ minInsyncReplicas: 2 })
  await two.ensureTopic('insync.new', KEEP)
  await expect.poll(() => settingsOf('insync.new'), { timeout: 10_000 }).toMatchObject({ 'min.insync.replicas': '2' })
  await two.ensureTopic('insync.new', KEEP)

  await using any = await open()
  await any.ensureTopic('insync.old', KEEP)
  await expect(two.ensureTopic('insync.old', KEEP)).rejects.toMatchObject({
    kind: 'invalid',
    code: 'topic_settings_differ',
    message: 'Topic insync.old has min.insync.replicas=1. Nothing was changed. Set min.insync.replicas=2 for this topic; then start again.',
  })
  expect(await settingsOf('insync.old')).toMatchObject({ 'min.insync.replicas': '1' })
  await any.ensureTopic('insync.new', KEEP) // more than requested
})

it('two installations with prefixes share a cluster: topics, committed offsets and groups of workers are apart', async () => {
  await using plain = await open()
  await using a = await open({ prefix: 'team-a.' })
  await using b = await open({ prefix: 'team-b.' })
  const topic = 'orrery.shared.control.v1'
  const at = { topic, partition: 0 }
  for (const [log, value] of [
    [plain, 'plain'],
    [a, 'a'],
    [b, 'b'],
  ] as const) {
    await log.ensureTopic(topic, KEEP)
    await log.append(at, [Buffer.from(value)])
  }
  expect([await firstOf(plain, topic), await firstOf(a, topic), await firstOf(b, topic)]).toEqual(['plain', 'a', 'b'])
  await a.commit('reader', at, 1n)
  expect([await plain.committed('reader', at), await a.committed('reader', at), await b.committed('reader', at)]).toEqual([0n, 1n, 0n])

  const stop = new AbortController()
  const shares = [plain, a, b].map((log) => log.shares(topic, 'reader', stop.signal)[Symbol.asyncIterator]())
  const given = await Promise.all(shares.map((each) => each.next()))
  expect(given.map(({ value }) => value?.partitions)).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ])
  const { topics, groups } = await withAdmin(async (admin) => ({
    topics: await admin.listTopics(),
    groups: (await admin.listGroups()).groups.map(({ groupId }) => groupId),
  }))
  stop.abort()
  await Promise.all(shares.map((each) => each.return?.()))
  expect(topics).toEqual(expect.arrayContaining([topic, `team-a.${topic}`, `team-b.${topic}`]))
  expect(groups).toEqual(
    expect.arrayContaining(['', 'team-a.', 'team-b.'].map((prefix) => `${prefix}orrery.reader.workers.orrery.shared.control.v1`)),
  )
})

it('where the operator creates the topics, a missing one is described and not created', async () => {
  await using log = await open({ manageTopics: false, minInsyncReplicas: 1, replicas: 1, prefix: 'ours.' })
  await expect(log.ensureTopic('missing', { ...KEEP, retentionSeconds: 60 })).rejects.toMatchObject({
    kind: 'invalid',
    code: 'topic_missing',
    message:
      'There is no topic ours.missing, and Orrery may not create topics here. Nothing was changed. Create it with 2 partitions, replication factor 1 and cleanup.policy=delete, retention.ms=60000, retention.bytes=-1, max.message.bytes=10485880, message.timestamp.type=LogAppendTime, unclean.leader.election.enable=false, min.insync.replicas=1; then start again.',
  })
  expect(await withAdmin((admin) => admin.listTopics())).not.toContain('ours.missing')
})

it('where the operator creates the topics, one that could lose or refuse records is refused, and none is changed', async () => {
  const made = (topic: string, settings: Readonly<Record<string, string>>): Promise<unknown> =>
    withAdmin((admin) => {
      const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
      return admin.createTopics({ topics: [{ topic, numPartitions: 2, configEntries }] })
    })
  await made('made.weak', { 'retention.ms': '1000', 'cleanup.policy': 'compact' })
  await made('made.right', { 'retention.ms': '-1', 'max.message.bytes': '20000000', 'segment.bytes': '20000000' })
  const before = [await settingsOf('made.weak'), await settingsOf('made.right')]
  await using log = await open({ manageTopics: false })
  await expect(log.ensureTopic('made.weak', KEEP)).rejects.toMatchObject({
    code: 'topic_settings_differ',
    message:
      'Topic made.weak has cleanup.policy=compact, retention.ms=1000, max.message.bytes=1048588. Nothing was changed. Set cleanup.policy=delete, retention.ms=-1, max.message.bytes=10485880 for this topic; then start again.',
  })
  await expect(log.ensureTopic('made.right', { ...KEEP, partitions: 3 })).rejects.toMatchObject({ code: 'topic_mismatch' })
  await log.ensureTopic('made.right', KEEP)
  await log.append({ topic: 'made.right', partition: 0 }, [Buffer.from('in')])
  expect(await firstOf(log, 'made.right')).toBe('in')
  expect([await settingsOf('made.weak'), await settingsOf('made.right')]).toEqual(before)
})
