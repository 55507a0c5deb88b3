import { BlockList, createServer } from 'node:net'
import { expect, it } from 'vitest'
import { serve } from './serve.ts'
import { streamRoute } from './stream/stream-route.ts'
import { httpAsk } from './testing/http-ask.ts'
import { startTestApi } from './testing/start-test-api.ts'
import { toyAnswer, toyRoute } from './testing/toy-routes.ts'

/** A route that says when it was asked and answers when it is let. */
function aHeldRoute() {
  const started = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const route = toyRoute(async () => {
    started.resolve()
    await goOn.promise
    return toyAnswer('done')
  })
  return { route, started: started.promise, goOn: goOn.resolve }
}

it('a stop lets the running request end and takes no new one', async () => {
  const { route, started, goOn } = aHeldRoute()
  await using api = await startTestApi({ routes: [route], drainMs: 3_600_000 })
  const running = api.ask('/v1/toy')
  await started
  const stopped = api.stop()
  await expect(httpAsk(api.url, '/docs')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  goOn()
  expect((await running).body?.data).toBe('done')
  await stopped
})

it('a stop does not wait for connections that only idle, nor longer than it may', async () => {
  const started = Promise.withResolvers<void>()
  const route = toyRoute(() => {
    started.resolve()
    return new Promise(() => {})
  })
  await using api = await startTestApi({ routes: [route], drainMs: 10 })
  // `fetch` keeps its connection open for the next request.
  await (await fetch(`${api.url}/docs`)).text()
  const running = api.ask('/v1/toy')
  await started.promise
  await Promise.all([expect(running).rejects.toMatchObject({ code: 'ECONNRESET' }), api.stop()])
})

it('a request on a connection that stays open does not hold up the stop once it is answered', async () => {
  const { route, started, goOn } = aHeldRoute()
  await using api = await startTestApi({ routes: [route], drainMs: 3_600_000 })
  const running = fetch(`${api.url}/v1/toy`, { headers: { 'x-service-api-key': api.key } })
  await started
  const stopped = api.stop()
  goOn()
  expect(await (await running).json()).toMatchObject({ data: 'done' })
  await stopped
})

it('a taken port is named with the way out', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  const address = blocker.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const parts = {
    routes: [],
    managementRoutes: [],
    streamRoute: streamRoute([]),
    shared: {},
    corsOrigins: [],
    trustedProxies: new BlockList(),
    access: { adminToken: null },
    deadlineMs: 1,
  } as unknown as Parameters<typeof serve>[0]
  await expect(serve(parts, { port, host: '127.0.0.1', drainMs: 0 })).rejects.toMatchObject({
    code: 'port_taken',
    message: `Port ${port} of 127.0.0.1 is used by another program. Nothing was lost or changed.\nStop that program, or choose another port with \`--port\` or ORRERY_PORT (0 takes any free one).`,
  })
  await new Promise((resolve) => blocker.close(resolve))
})
