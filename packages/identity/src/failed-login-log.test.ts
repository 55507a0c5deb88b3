import { expect, it } from 'vitest'
import { openFailedLoginLog } from './failed-login-log.ts'
import type { FailedLogin } from './identity.ts'

const failed = (n: number): FailedLogin => ({ email: `${n}@example.org`, address: '192.0.2.1', reached: [] })

it('the failed-login log writes entries after the answers, and the rest on disposal', async () => {
  const written: FailedLogin[] = []
  const log = openFailedLoginLog({ auditFailedLogin: async (one) => void written.push(one) }, { writeWithinMs: 3_600_000 })
  log.add(failed(1))
  expect(written).toEqual([])
  await log[Symbol.asyncDispose]()
  expect(written).toEqual([failed(1)])
})

it('the failed-login log reports how many entries it lost: those beyond a thousand in the queue, and those that could not be written', async () => {
  const lost: [number, unknown][] = []
  let isBroken = false
  const auditFailedLogin = async () => {
    if (isBroken) throw new Error('The database is away.')
  }
  const log = openFailedLoginLog({ auditFailedLogin }, { writeWithinMs: 3_600_000, onLost: (count, cause) => lost.push([count, cause]) })
  for (let n = 0; n < 1_003; n++) log.add(failed(n))
  await log.write()
  isBroken = true
  log.add(failed(0))
  await log.write()
  expect(lost).toEqual([
    [3, null],
    [1, new Error('The database is away.')],
  ])
})
