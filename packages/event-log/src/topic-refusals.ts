// Errors that all drivers share.

import { OrreryError } from '@orrery/errors'
import type { LogPartition } from './event-log.ts'

/** A contract's partition is its hash modulo the number of partitions: another number would move its records. */
export function partitionsDiffer(topic: string, has: number, requested: number): OrreryError {
  const message = `Topic ${topic} has ${has} partitions, and ${requested} were requested. Nothing was changed. Set ${has}, or index again into a new log.`
  return new OrreryError('invalid', 'topic_mismatch', message, { context: { topic, has, requested } })
}

export function partitionUnknown(at: LogPartition, has: number): OrreryError {
  const message = `Topic ${at.topic} has partitions 0 to ${has - 1}; there is no partition ${at.partition}.`
  return new OrreryError('invalid', 'partition_unknown', message, { context: { ...at } })
}

export function topicUnknown(at: LogPartition): OrreryError {
  return new OrreryError('invalid', 'topic_unknown', `There is no topic ${at.topic}. Create it first.`, { context: { ...at } })
}
