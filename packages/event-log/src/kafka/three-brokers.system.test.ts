// A cluster as an operator runs it: three brokers, replication factor 3, two in-sync replicas, TLS and SCRAM.

import { KafkaCluster } from '@orrery/testkit/kafka'
import { expect, it } from 'vitest'
import { openLog } from '../open.ts'

const PARTITIONS = 3
const RECORDS = 300

it('one of three brokers is killed while records are appended: none is lost, none is repeated, and the order stays', async () => {
  await using cluster = await KafkaCluster.start()
  const { caFile } = cluster.certificates
  const access = { user: 'orrery', password: 'open sesame', mechanism: 'scram-sha-512', ssl: true, caFile } as const
  await using log = await openLog(`kafka:${cluster.address}`, { ...access, replicas: 3, minInsyncReplicas: 2, retryForMs: 120_000 })
  const topic = 'orrery.three.control.v1'
  await log.ensureTopic(topic, { partitions: PARTITIONS, retentionSeconds: null, retentionBytes: null })
  const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition)
  let killed: Promise<void> | null = null
  const appendTo = async (partition: number): Promise<void> => {
    for (let n = 0; n < RECORDS; n += 5) {
      // Each broker leads one of the partitions. The kill does not wait for the appends in progress.
      if (n >= RECORDS / 3) killed ??= cluster.kill(2)
      const values = Array.from({ length: 5 }, (_, m) => Buffer.from(`${partition}:${n + m}`))
      await log.append({ topic, partition }, values)
    }
  }
  const read = async (partition: number): Promise<readonly string[]> => {
    const seen: string[] = []
    for await (const batch of log.read({ topic, partition }, 0n, new AbortController().signal)) {
      seen.push(...batch.map(({ value }) => Buffer.from(value).toString()))
      if (seen.includes(`${partition}:${RECORDS - 1}`)) return seen
    }
    return seen
  }
  const [seen] = await Promise.all([Promise.all(partitions.map(read)), Promise.all(partitions.map(appendTo))])
  await killed
  expect(seen).toEqual(partitions.map((partition) => Array.from({ length: RECORDS }, (_, n) => `${partition}:${n}`)))
  expect(await Promise.all(partitions.map((partition) => log.end({ topic, partition })))).toEqual(partitions.map(() => BigInt(RECORDS)))
})
