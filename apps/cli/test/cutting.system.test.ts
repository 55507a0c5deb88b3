import { join } from 'node:path'
import { withKafka } from '@orrery/testkit/kafka'
import { cuttingContract } from './cutting-contract.ts'

const kafka = withKafka()

cuttingContract({ driver: 'Kafka', logUrl: () => `kafka:${kafka.broker.address}`, files: 10, runs: 4 })
cuttingContract({ driver: 'LMDB', logUrl: (dir) => `lmdb:${join(dir, 'log')}`, files: 10, runs: 4 })
