// The settings of a topic. Settings that a cluster's defaults would decide (compaction, unclean leaders, sizes) are set and checked at every start.

import { OrreryError } from '@orrery/errors'
// Node finds only some of the named exports of this package, so the default import is used.
import kafkajs, { type Admin, type KafkaJSError } from 'kafkajs'
import type { TopicSettings } from '../event-log.ts'
import { partitionsDiffer, topicMissing, topicSettingsDiffer } from '../topic-refusals.ts'
import { workTimeoutMs } from './kafka-client.ts'
import { kafkaErrorType } from './kafka-error.ts'
import type { KafkaAddress } from './kafka-options.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'
import { withTimeout } from './with-timeout.ts'

/** A batch is at most 8 MB of records; this leaves space for Kafka's own fields. */
export const MAX_MESSAGE_BYTES = 10_485_880
/** The source of a setting that was set for this topic; other settings belong to the cluster and are not changed. */
const SET_FOR_TOPIC = 1

/**
 * Creates the topic, or checks it and corrects settings that differ. Where topics are not ours to manage, only checks it.
 * @throws OrreryError `invalid` with `topic_mismatch`, `topic_missing` or `topic_settings_differ`; or errors of kafkajs.
 */
export async function ensureKafkaTopic(
  admin: Admin,
  topic: string,
  settings: TopicSettings,
  address: KafkaAddress,
  countPartitions: () => Promise<number | null>,
): Promise<void> {
  const { replicas, retryForMs, minInsyncReplicas, manageTopics = true } = address
  const wanted = entriesOf(settings)
  const inSync = minInsyncReplicas === undefined ? {} : { 'min.insync.replicas': String(minInsyncReplicas) }
  const tried = <T>(work: () => Promise<T>): Promise<T> => retryWithBackoff(work, retryForMs, isRetryable)
  const managed = <T>(work: () => Promise<T>): Promise<T> => tried(() => withTimeout(work(), workTimeoutMs(address)))
  if ((await countPartitions()) === null) {
    if (!manageTopics) throw topicMissing(topic, settings.partitions, replicas, { ...wanted, ...inSync })
    const configEntries = Object.entries({ ...wanted, ...inSync }).map(([name, value]) => ({ name, value }))
    const made = {
      topic,
      numPartitions: settings.partitions,
      configEntries,
      ...(replicas === undefined ? {} : { replicationFactor: replicas }),
    }
    await managed(() => admin.createTopics({ topics: [made], waitForLeaders: false }))
  }
  const has = await tried(() => shown(topic, countPartitions))
  if (has !== settings.partitions) throw partitionsDiffer(topic, has, settings.partitions)
  const found = await managed(() => readEntries(admin, topic)).catch((thrown: unknown) => {
    if (!manageTopics && /AUTHORIZATION_FAILED/.test(kafkaErrorType(thrown))) return null // the operator has not granted this right
    throw thrown
  })
  if (found === null) return
  const present = new Map(found.map(({ configName, configValue }) => [configName, configValue]))
  const required = manageTopics ? inSync : { ...wanted, ...inSync }
  const weaker = Object.entries(required).filter(([name, value]) => isWeaker(name, present.get(name), value))
  if (weaker.length > 0) throw topicSettingsDiffer(topic, Object.fromEntries(weaker), present)
  if (manageTopics) await managed(() => setEntries(admin, topic, wanted, found))
}

/** A broker knows a topic only some time after the controller has created it. */
async function shown(topic: string, countPartitions: () => Promise<number | null>): Promise<number> {
  const partitions = await countPartitions()
  if (partitions !== null) return partitions
  throw new OrreryError('unavailable', 'log_unreachable', `Kafka did not list the topic ${topic} after it was created. Start again.`)
}

/** Errors that kafkajs retries itself for other requests, and a topic that a broker does not know yet. */
function isRetryable(thrown: unknown): boolean {
  return thrown instanceof OrreryError ? thrown.code === 'log_unreachable' : (thrown as KafkaJSError).retriable === true
}

function entriesOf({ retentionSeconds, retentionBytes }: TopicSettings): Readonly<Record<string, string>> {
  return {
    // Compaction keeps the newest record of a key, and these records have no keys.
    'cleanup.policy': 'delete',
    'retention.ms': retentionSeconds === null ? '-1' : String(retentionSeconds * 1000),
    'retention.bytes': String(retentionBytes ?? -1),
    'max.message.bytes': String(MAX_MESSAGE_BYTES),
    // Retention counts from when a record was appended, by the broker's clock.
    'message.timestamp.type': 'LogAppendTime',
    // A leader that lacks acknowledged records must not take over: an unavailable log is better than a gap in it.
    'unclean.leader.election.enable': 'false',
  }
}

/** Whether a value that the cluster reports would lose records or refuse them. A value that the cluster does not report is not checked. */
function isWeaker(name: string, present: string | undefined, wanted: string): boolean {
  if (present === undefined || name === 'message.timestamp.type') return false // only decides when retention begins to count
  if (name === 'retention.ms' || name === 'retention.bytes') return limitOf(present) < limitOf(wanted)
  if (name === 'max.message.bytes' || name === 'min.insync.replicas') return Number(present) < Number(wanted)
  return present !== wanted
}

/** -1 means no limit. */
function limitOf(value: string): number {
  return value === '-1' ? Number.POSITIVE_INFINITY : Number(value)
}

type Entries = Awaited<ReturnType<Admin['describeConfigs']>>['resources'][number]['configEntries']

function aboutTopic(topic: string) {
  return { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic }
}

async function readEntries(admin: Admin, topic: string): Promise<Entries> {
  const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [aboutTopic(topic)] })
  return resources.flatMap(({ configEntries }) => configEntries)
}

async function setEntries(admin: Admin, topic: string, wanted: Readonly<Record<string, string>>, entries: Entries): Promise<void> {
  const now = new Map(entries.map(({ configName, configValue }) => [configName, configValue]))
  const differs = (name: string, value: string): boolean =>
    name === 'max.message.bytes' ? Number(now.get(name)) < MAX_MESSAGE_BYTES : now.get(name) !== value
  const changes = Object.entries(wanted).filter(([name, value]) => differs(name, value))
  if (changes.length === 0) return
  // Altering replaces all settings of the topic, so other settings of an operator are included again.
  const kept = entries
    .filter(({ configSource, isSensitive }) => configSource === SET_FOR_TOPIC && !isSensitive)
    .map(({ configName, configValue }): [string, string] => [configName, configValue])
  const configEntries = [...new Map([...kept, ...changes])].map(([name, value]) => ({ name, value }))
  await admin.alterConfigs({ validateOnly: false, resources: [{ ...aboutTopic(topic), configEntries }] })
}
