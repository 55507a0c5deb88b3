// Every part of kafkajs that it does not export, in this one file. kafkajs exports a consumer that reads as a member of a group, and nothing
// below it; reading a partition without a group, and being in a group without reading, need the parts below (docs/decisions/0011). They may
// change in any release: the version is pinned, and kafkajs-internals.test.ts fails when one of them differs from this description.

import { createRequire } from 'node:module'
import type { Socket } from 'node:net'

const require = createRequire(import.meta.url)

export interface FetchedMessage {
  readonly offset: string
  readonly value: Buffer | null
}

/** A leader's answer for one partition: every record, also control records and records of an aborted transaction. */
export interface FetchedPartition {
  readonly messages: readonly FetchedMessage[]
}

interface JoinedGroup {
  readonly generationId: number
  readonly leaderId: string
  readonly memberId: string
  /** Empty for every member but the leader. */
  readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[]
}

/** The used methods of kafkajs' `Broker`: a method is a request, with the fields of Kafka's protocol. */
export interface Broker {
  fetch(request: {
    readonly maxWaitTime: number
    readonly minBytes: number
    readonly maxBytes: number
    readonly isolationLevel: number
    readonly topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string; readonly maxBytes: number }[]
    }[]
  }): Promise<{ readonly responses: readonly { readonly partitions: readonly FetchedPartition[] }[] }>
  listOffsets(request: {
    readonly isolationLevel: number
    readonly topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[]
    }[]
  }): Promise<{ readonly responses: readonly { readonly partitions: readonly { readonly offset: string }[] }[] }>
  offsetCommit(request: {
    readonly groupId: string
    readonly groupGenerationId: number
    readonly memberId: string
    readonly topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
    }[]
  }): Promise<unknown>
  offsetFetch(request: {
    readonly groupId: string
    readonly topics: readonly { readonly topic: string; readonly partitions: readonly { readonly partition: number }[] }[]
  }): Promise<{ readonly responses: readonly { readonly partitions: readonly { readonly offset: string }[] }[] }>
  joinGroup(request: {
    readonly groupId: string
    readonly memberId: string
    readonly sessionTimeout: number
    readonly rebalanceTimeout: number
    readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[]
  }): Promise<JoinedGroup>
  syncGroup(request: {
    readonly groupId: string
    readonly generationId: number
    readonly memberId: string
    readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[]
  }): Promise<{ readonly memberAssignment: Buffer }>
  heartbeat(request: { readonly groupId: string; readonly groupGenerationId: number; readonly memberId: string }): Promise<unknown>
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>
}

export interface Cluster {
  readonly brokerPool: { readonly metadata: { readonly brokers: readonly { readonly host: string; readonly port: number }[] } | null }
  connect(): Promise<void>
  addTargetTopic(topic: string): Promise<void>
  refreshMetadataIfNecessary(): Promise<void>
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number; readonly leader: number }[]
  findBroker(at: { readonly nodeId: number }): Promise<Broker>
  findGroupCoordinator(of: { readonly groupId: string }): Promise<Broker>
}

/** Finds brokers, leaders and coordinators. Options: those of a client, beside `socketFactory`, `retry` and `logger`. */
export const KafkajsCluster: new (options: object) => Cluster = require('kafkajs/src/cluster')

/** Returns only the records of an answer that a reader may see, from an offset on. */
export const KafkajsBatch: new (
  topic: string,
  offset: string,
  fetched: FetchedPartition,
) => { readonly messages: readonly FetchedMessage[] } = require('kafkajs/src/consumer/batch')

export type Connect = (to: object) => Socket

/** Makes the default of the option `socketFactory`. */
export const kafkajsSocketFactory: () => Connect = require('kafkajs/src/network/socketFactory')

export interface RequestQueue {
  readonly pending: readonly unknown[]
  /** Unix milliseconds; -1 as long as the broker has not throttled the client. */
  readonly throttledUntil: number
  scheduleCheckPendingRequests(): void
}

/** The requests that wait for a connection. */
export const KafkajsRequestQueue: { readonly prototype: RequestQueue } = require('kafkajs/src/network/requestQueue')
