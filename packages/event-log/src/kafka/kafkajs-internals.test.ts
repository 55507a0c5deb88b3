import { createRequire } from 'node:module'
import { Kafka } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { KafkajsBatch, KafkajsCluster, KafkajsRequestQueue, kafkajsSocketFactory } from './kafkajs-internals.ts'

const methodsOf = (made: { readonly prototype: object }): readonly string[] => Object.getOwnPropertyNames(made.prototype)
const require = createRequire(import.meta.url)

describe('the parts of kafkajs that it does not export', () => {
  it('the internals of kafkajs are those of version 2.2.4: check each of them by hand before this number changes', () => {
    expect(require('kafkajs/package.json').version).toBe('2.2.4')
  })

  it('the internals of kafkajs include a cluster with the methods and the broker pool that a connection uses', () => {
    const used = [
      'connect',
      'addTargetTopic',
      'refreshMetadataIfNecessary',
      'findTopicPartitionMetadata',
      'findBroker',
      'findGroupCoordinator',
    ]
    expect(methodsOf(KafkajsCluster as never)).toEqual(expect.arrayContaining(used))
    const kafka = new Kafka({ brokers: ['127.0.0.1:1'] })
    const cluster = new KafkajsCluster({
      brokers: ['127.0.0.1:1'],
      logger: kafka.logger(),
      socketFactory: kafkajsSocketFactory(),
      retry: {},
    })
    expect(cluster.brokerPool.metadata).toBeNull()
  })

  it('the internals of kafkajs include a broker with the requests that are sent', () => {
    const used = ['fetch', 'listOffsets', 'offsetCommit', 'offsetFetch', 'joinGroup', 'syncGroup', 'heartbeat', 'leaveGroup']
    expect(methodsOf(require('kafkajs/src/broker'))).toEqual(expect.arrayContaining(used))
  })

  it('the internals of kafkajs include a batch that leaves out control records and records before the offset', () => {
    const fetched = { messages: [{ offset: '6' }, { offset: '7' }, { offset: '8', isControlRecord: true }, { offset: '9' }] }
    const { messages } = new KafkajsBatch('topic', '7', { partition: 0, highWatermark: '10', abortedTransactions: [], ...fetched } as never)
    expect(messages.map(({ offset }) => offset)).toEqual(['7', '9'])
  })

  it('the internals of kafkajs include a queue of requests whose timer can be replaced', () => {
    expect(methodsOf(KafkajsRequestQueue)).toContain('scheduleCheckPendingRequests')
  })
})
