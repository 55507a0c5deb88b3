// Caddy and nginx with the files of infra/proxy, on free ports of 127.0.0.1.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@orrery/testkit'
import { startServer } from '@orrery/testkit/servers'

const infra = fileURLToPath(new URL('../../../../infra/', import.meta.url))
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface ProxyRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Address of 127.0.0.0/8 that the connection comes from. */
  readonly from?: string
}

export interface ProxyAnswer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface TlsProxy extends AsyncDisposable {
  request(path: string, options?: ProxyRequest): Promise<ProxyAnswer>
}

/** @param upstream `host:port` of the API. */
export async function startCaddy(folder: string, upstream: string): Promise<TlsProxy> {
  mkdirSync(folder)
  const [port, httpPort, adminPort] = [await freePort(), await freePort(), await freePort()]
  const env = {
    ...{ PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    ...{ ORRERY_SITE: 'localhost', ORRERY_UPSTREAM: upstream },
    ...{ ORRERY_HTTPS_PORT: String(port), ORRERY_HTTP_PORT: String(httpPort), ORRERY_PROXY_ADMIN: `127.0.0.1:${adminPort}` },
  }
  const args = ['run', '--config', join(infra, 'proxy/Caddyfile'), '--adapter', 'caddyfile']
  const server = await startServer({
    ...{ name: 'Caddy', program: 'caddy', args, env, ready: /certificate obtained successfully/, install: '`apt-get install caddy`' },
  })
  const authority = join(folder, 'caddy/pki/authorities/local/root.crt')
  return {
    request: (path, options) => requestOver({ port, authority: readFileSync(authority, 'utf8') }, path, options),
    [Symbol.asyncDispose]: () => server.end('SIGTERM'),
  }
}

/** @param upstream `host:port` of the API. */
export async function startNginx(folder: string, upstream: string): Promise<TlsProxy> {
  mkdirSync(folder)
  const [port, httpPort] = [await freePort(), await freePort()]
  const [certificate, keyFile] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', keyFile, '-out', certificate]
  execFileSync('openssl', made, { stdio: 'pipe' })
  const site = readFileSync(join(infra, 'proxy/nginx.conf'), 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replaceAll('api.example.org', 'localhost')
    .replaceAll('/etc/ssl/orrery', folder)
    .replace('server 127.0.0.1:8080', `server ${upstream}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr notice; events {}\nhttp { access_log off; ${temporary}\n${site}\n}\n`,
  )
  const args = ['-c', file, '-p', folder, '-e', 'stderr']
  const server = await startServer({
    ...{ name: 'nginx', program: 'nginx', args, env: { PATH }, ready: /start worker process/, install: '`apt-get install nginx-light`' },
  })
  return {
    request: (path, options) => requestOver({ port, authority: readFileSync(certificate, 'utf8') }, path, options),
    [Symbol.asyncDispose]: () => server.end('SIGTERM'),
  }
}

function requestOver(
  { port, authority }: { readonly port: number; readonly authority: string },
  path: string,
  { method = 'GET', headers = {}, body = '', from }: ProxyRequest = {},
): Promise<ProxyAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ProxyAnswer>()
  const to = { host: '127.0.0.1', servername: 'localhost', port, path, method, ca: authority, agent: false }
  const host = { host: `localhost:${port}`, ...headers }
  const sent = request({ ...to, headers: host, ...(from !== undefined && { localAddress: from }) }, async (response) => {
    let text = ''
    for await (const part of response.setEncoding('utf8')) text += part
    resolve({ status: response.statusCode, headers: response.headers, body: text })
  })
  sent.once('error', reject)
  sent.end(body)
  return promise
}
