import { expect, it } from 'vitest'
import { secretWatch } from './secret-watch.ts'
import { startTestApi } from './start-test-api.ts'
import { toyAnswer, toyRoute } from './toy-routes.ts'

it.each(['x-service-api-key', 'authorization', 'x-service-admin-token'])(
  'a test fails when the server logs what came in %s',
  async (header) => {
    const secret = 'a secret that no log may contain'
    const route = toyRoute(async () => toyAnswer(null))
    const api = await startTestApi({
      routes: [route],
      access: {
        failures: {
          fail: async () => Promise.reject(new Error(`It was ${secret}.`)),
          wait: async () => null,
          forgive: async () => undefined,
        },
      },
    })
    await api.ask('/v1/toy', {
      headers: { 'x-service-api-key': 'a key that is wrong', [header]: header === 'authorization' ? `Bearer ${secret}` : secret },
    })
    await expect(api[Symbol.asyncDispose]()).rejects.toThrow(/^A secret was logged: .*It was <the secret>\./)
  },
)

it('a test fails if the server logs a value of a body, or a secret that it returned', () => {
  const watch = secretWatch()
  watch.noteExchange(
    { body: '{"email":"a@b","password":"correct \\"horse\\""}' },
    '{"access_token":"eyJhbGciOiJF","refresh_token":"eyJhbGciOiJG"}',
  )
  for (const line of ['correct "horse"', 'x eyJhbGciOiJF x', 'eyJhbGciOiJG'])
    expect(() => watch.check(['fine', line])).toThrow('A secret was logged')
  watch.check(['fine', 'correct', 'eyJ'])
})
