import { withKafka } from '@orrery/testkit/kafka'
import { eventLogContract } from '../contract.ts'
import { openLog } from '../open.ts'

const kafka = withKafka()

eventLogContract('Kafka', () => openLog(`kafka:${kafka.broker.address}`), { promptRetention: false })
