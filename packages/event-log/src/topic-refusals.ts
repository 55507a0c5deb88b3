// Errors that all drivers share.

import { counted, numbered, OrreryError } from '@orrery/errors'
import type { LogPartition } from './event-log.ts'

/** A contract's partition is its hash modulo the number of partitions: another number would move its records. */
export function partitionsDiffer(topic: string, has: number, requested: number): OrreryError {
  const message = `Topic ${topic} has ${counted(has, 'partition')}, and ${requested} ${requested === 1 ? 'was' : 'were'} requested. Nothing was changed. Set ${has}, or index again into a new log.`
  return new OrreryError('invalid', 'topic_mismatch', message, { context: { topic, has, requested } })
}

export function partitionUnknown(at: LogPartition, has: number): OrreryError {
  const message = `Topic ${at.topic} has ${numbered(has, 'partition')}; there is no partition ${at.partition}.`
  return new OrreryError('invalid', 'partition_unknown', message, { context: { ...at } })
}

export function topicUnknown(at: LogPartition): OrreryError {
  return new OrreryError('invalid', 'topic_unknown', `There is no topic ${at.topic}. Create it first.`, { context: { ...at } })
}

/** A cluster whose topics the operator creates lacks one. */
export function topicMissing(
  topic: string,
  partitions: number,
  replicas: number | undefined,
  settings: Readonly<Record<string, string>>,
): OrreryError {
  const copies = replicas === undefined ? '' : `, replication factor ${replicas}`
  const message = `There is no topic ${topic}, and Orrery may not create topics here. Nothing was changed. Create it with ${counted(partitions, 'partition')}${copies} and ${listed(settings)}; then start again.`
  return new OrreryError('invalid', 'topic_missing', message, { context: { topic, partitions } })
}

/** Settings with which records could be lost or refused, and which Orrery does not change. */
export function topicSettingsDiffer(
  topic: string,
  needed: Readonly<Record<string, string>>,
  present: ReadonlyMap<string, string>,
): OrreryError {
  const now = Object.fromEntries(Object.keys(needed).map((name) => [name, present.get(name) ?? 'not set']))
  const message = `Topic ${topic} has ${listed(now)}. Nothing was changed. Set ${listed(needed)} for this topic; then start again.`
  return new OrreryError('invalid', 'topic_settings_differ', message, { context: { topic } })
}

function listed(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}
