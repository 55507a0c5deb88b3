export { KafkaBroker } from './kafka-broker.ts'
export { makeTestCertificates, type TestCertificates } from './test-certificates.ts'
export { withKafka } from './with-kafka.ts'
