import { withKafka } from '@orrery/testkit/kafka'
import { TEST_PROTOCOLS } from '@orrery/testkit/test-protocols'
import { controlSnapshotContract } from '../control-snapshot-contract.ts'
import { openLog } from '../open.ts'

const kafka = withKafka()

controlSnapshotContract('Kafka', () => openLog(`kafka:${kafka.broker.address}`), TEST_PROTOCOLS[0] as string)
