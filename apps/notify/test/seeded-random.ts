// Until every test imports it from the testkit.
export { seededRandom } from '@orrery/testkit'
