import { openLog } from '@orrery/event-log'
import { loadNetwork } from '@orrery/protocols'
import { withKafka } from '@orrery/testkit/kafka'
import { expect, it } from 'vitest'
import { openDeployment } from './deployment.ts'

const kafka = withKafka()

it('the log of separate processes is opened with the variables of Kafka that those have', async () => {
  const url = `kafka:${kafka.broker.address}`
  const at = { topic: 'orrery.demo.control.v1', partition: 0 }
  await using written = await openLog(url, { prefix: 'team-a.' })
  await written.ensureTopic(at.topic, { partitions: 1, retentionSeconds: null, retentionBytes: null })
  await written.append(at, [new Uint8Array([1]), new Uint8Array([2])])

  const network = await loadNetwork('demo')
  const clickhouse = { url: 'http://127.0.0.1:1', database: 'orrery', user: 'analyst', password: '' } // openDeployment sends no statement to a server that is named
  const opened = async (env: Record<string, string>): Promise<bigint> => {
    await using stack = new AsyncDisposableStack()
    const { log } = await openDeployment({ network, protocols: [], data: 'absent', log: url, clickhouse, env }, stack)
    return await log.end(at)
  }
  expect(await opened({ ORRERY_KAFKA_PREFIX: 'team-a.' })).toBe(2n)
  expect(await opened({})).toBe(0n)
  await expect(opened({ ORRERY_KAFKA_PREFIX: 'not a name' })).rejects.toMatchObject({ code: 'invalid_environment' })
})
