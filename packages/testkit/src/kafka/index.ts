export { KafkaBroker } from './kafka-broker.ts'
export { withKafka } from './with-kafka.ts'
