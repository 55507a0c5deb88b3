import { expect, it } from 'vitest'
import { openLog } from '../open.ts'

it('an address of a Kafka cluster needs a port for each broker, and a name for an IPv6 address', async () => {
  await expect(openLog('kafka:broker')).rejects.toMatchObject({ kind: 'invalid', code: 'log_url_unknown' })
  await expect(openLog('kafka:a:9092,b')).rejects.toThrow('"b" is not the address')
  await expect(openLog('kafka:[::1]:9092')).rejects.toThrow('an IPv6 address needs a name')
})
