import { expect, it } from 'vitest'
import { openFailedLoginLog } from './failed-login-log.ts'
import type { FailedLogin } from './identity.ts'

const failed = (userId: string | null): FailedLogin => ({ userId, address: '192.0.2.1', reached: [] })

it('the failed-login log writes what it collected in one batch after the answers, and the rest on disposal', async () => {
  const written: (readonly FailedLogin[])[] = []
  const log = openFailedLoginLog({ auditFailedLogins: async (batch) => void written.push(batch) }, { writeWithinMs: 3_600_000 })
  log.add(failed('ann'))
  log.add(failed(null))
  expect(written).toEqual([])
  await log.write()
  expect(written).toEqual([[failed('ann'), failed(null)]])
  log.add(failed('bob'))
  await log[Symbol.asyncDispose]()
  expect(written.slice(1)).toEqual([[failed('bob')]])
})

it('the failed-login log reports how many entries it lost: those beyond a thousand in the queue, and those that could not be written', async () => {
  const lost: [number, unknown][] = []
  let isBroken = false
  const auditFailedLogins = async () => {
    if (isBroken) throw new Error('The database is away.')
  }
  const log = openFailedLoginLog({ auditFailedLogins }, { writeWithinMs: 3_600_000, onLost: (count, cause) => lost.push([count, cause]) })
  for (let n = 0; n < 1_003; n++) log.add(failed(`user ${n}`))
  // Of an unknown account there is no entry to lose.
  log.add(failed(null))
  await log.write()
  isBroken = true
  for (const userId of ['ann', null, 'bob']) log.add(failed(userId))
  await log.write()
  log.add(failed(null))
  await log.write()
  expect(lost).toEqual([
    [3, null],
    [2, new Error('The database is away.')],
  ])
})
