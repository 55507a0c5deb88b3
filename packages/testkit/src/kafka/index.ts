export { KafkaBroker } from './kafka-broker.ts'
export { KafkaCluster } from './kafka-cluster.ts'
export { makeTestCertificates, type TestCertificates } from './test-certificates.ts'
export { withKafka } from './with-kafka.ts'
