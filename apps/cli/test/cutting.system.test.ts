import { join } from 'node:path'
import { withKafka } from '@orrery/testkit/kafka'
import { cuttingContract } from './cutting-contract.ts'

const kafka = withKafka()

cuttingContract({ driver: 'Kafka', logUrl: () => `kafka:${kafka.broker.address}`, runs: 4 })
cuttingContract({ driver: 'LMDB', logUrl: (dir) => `lmdb:${join(dir, 'log')}`, runs: 4 })
