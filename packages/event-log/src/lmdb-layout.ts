// The layout of keys and values of the LMDB driver. Big-endian, so that keys sort as their numbers do.

import { OrreryError } from '@orrery/errors'
import { xxhash64 } from './checksum.ts'
import type { LogPartition, TopicSettings } from './event-log.ts'

export interface StoredTopic extends TopicSettings {
  /** Number that replaces the topic's name in keys. From 1. */
  readonly number: number
}

/** The end and the size of a partition. */
export interface PartitionState {
  /** Offset of the next append. */
  readonly next: bigint
  /** Bytes of the stored records. */
  readonly bytes: bigint
}

export interface StoredRecord {
  readonly appendedAtSeconds: number
  readonly value: Uint8Array
}

const RECORD_HEAD_BYTES = 16

/** Topic number u32, partition u32. */
export function partitionKey(topic: number, partition: number): Buffer {
  const key = Buffer.alloc(8)
  key.writeUInt32BE(topic)
  key.writeUInt32BE(partition, 4)
  return key
}

/** The partition's key, then the offset u64. */
export function recordKey(partition: Buffer, offset: bigint): Buffer {
  const key = Buffer.alloc(16)
  partition.copy(key)
  key.writeBigUInt64BE(offset, 8)
  return key
}

export function offsetOf(recordKey: Buffer): bigint {
  return recordKey.readBigUInt64BE(8)
}

/** The partition's key, then the group's name. */
export function groupKey(partition: Buffer, group: string): Buffer {
  return Buffer.concat([partition, Buffer.from(group)])
}

export function writeU64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

export function writePartitionState({ next, bytes }: PartitionState): Buffer {
  return Buffer.concat([writeU64(next), writeU64(bytes)])
}

export function readPartitionState(stored: Buffer | undefined): PartitionState {
  return stored ? { next: stored.readBigUInt64BE(), bytes: stored.readBigUInt64BE(8) } : { next: 0n, bytes: 0n }
}

/** Append time in seconds u64, xxhash64 of the value, the value. */
export function writeRecord(value: Uint8Array, appendedAtSeconds: number): Buffer {
  const record = Buffer.allocUnsafe(RECORD_HEAD_BYTES + value.length)
  record.writeBigUInt64BE(BigInt(appendedAtSeconds))
  record.writeBigUInt64BE(xxhash64(value), 8)
  record.set(value, RECORD_HEAD_BYTES)
  return record
}

/** @throws OrreryError `corrupt`/`log_record_broken`. */
export function readRecord(stored: Buffer, at: LogPartition, offset: bigint): StoredRecord {
  const value = stored.subarray(RECORD_HEAD_BYTES)
  if (stored.length < RECORD_HEAD_BYTES || stored.readBigUInt64BE(8) !== xxhash64(value)) {
    const message = `Record ${offset} of ${at.topic}, partition ${at.partition}, differs from what was appended. The records before it are complete. Check the disk, then restore the log or index again from the ledgers.`
    throw new OrreryError('corrupt', 'log_record_broken', message, { context: { ...at, offset } })
  }
  return { appendedAtSeconds: Number(stored.readBigUInt64BE()), value }
}

export function appendedAtSecondsOf(stored: Buffer): number {
  return Number(stored.readBigUInt64BE())
}
