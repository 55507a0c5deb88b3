// What every driver refuses, said alike.

import { OrreryError } from '@orrery/errors'
import type { LogPartition } from './event-log.ts'

/** A contract's partition is its hash modulo their number: another number would send its records elsewhere than before. */
export function partitionsDiffer(topic: string, has: number, asked: number): OrreryError {
  const message = `Topic ${topic} has ${has} partitions and ${asked} were asked for. Nothing was changed. Ask for ${has}, or index again into a new log.`
  return new OrreryError('invalid', 'topic_mismatch', message, { context: { topic, has, asked } })
}

export function partitionUnknown(at: LogPartition, has: number): OrreryError {
  const message = `Topic ${at.topic} has partitions 0 to ${has - 1}; there is no partition ${at.partition}.`
  return new OrreryError('invalid', 'partition_unknown', message, { context: { ...at } })
}

export function topicUnknown(at: LogPartition): OrreryError {
  return new OrreryError('invalid', 'topic_unknown', `There is no topic ${at.topic}. Make it first.`, { context: { ...at } })
}
