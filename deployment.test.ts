// The files of a deployment agree with the processes and with each other: docker-compose.yml, infra/kubernetes, infra/systemd, infra/prometheus. Their
// own tools check them in the second tier (scripts/test.mjs), where the services of docker-compose.yml also run (apps/cli/test/deployed).

import { globSync, readFileSync } from 'node:fs'
import { PROTOCOLS } from '@orrery/protocols'
import { SECRET_VARIABLES } from '@orrery/service-kit'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Variables that a process of Orrery reads, by the schemas of their environment. */
const declared = [...globSync('apps/*/src/env.ts'), 'packages/service-kit/src/env-values.ts'].flatMap((path) =>
  [...read(path).matchAll(/^ {2}(ORRERY_\w+):/gm)].map((match) => match[1] ?? ''),
)
const known = new Set([
  ...declared,
  ...SECRET_VARIABLES.map((name) => `${name}_FILE`),
  ...PROTOCOLS.map(({ id }) => `ORRERY_PARTITIONS_${id.toUpperCase()}`),
])
const unknownIn = (names: readonly string[]): string[] => names.filter((name) => name.startsWith('ORRERY_') && !known.has(name))

describe('a secret', () => {
  it('may be in a file, whichever variable holds it', () => {
    // An address may have a password or a key in it.
    const holding = declared.filter((name) => /_(PASSWORD|TOKEN|KEY|SECRET|PASSPHRASE|IDENTITY|REDIS|RPC|LAKE)$/.test(name))
    expect([...new Set(holding)].sort()).toEqual([...SECRET_VARIABLES].sort())
  })
})

interface Service {
  readonly image: string
  readonly build?: unknown
  readonly profiles?: readonly string[]
  readonly restart?: string
  readonly mem_limit?: string
  readonly logging?: unknown
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean }
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly environment?: Readonly<Record<string, unknown>>
  readonly secrets?: readonly (string | { readonly source: string; readonly target: string })[]
  readonly networks: readonly string[] | Readonly<Record<string, unknown>>
  readonly ports?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
}

describe('docker-compose.yml', () => {
  const text = read('docker-compose.yml')
  const compose = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
    readonly secrets: Readonly<Record<string, { readonly file: string }>>
    readonly configs: Readonly<Record<string, { readonly file: string }>>
    readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
  }
  const services = Object.entries(compose.services)
  const networksOf = ({ networks }: Service): string[] => (Array.isArray(networks) ? [...networks] : Object.keys(networks))
  const isOrrery = ({ image }: Service): boolean => image === 'orrery:local'

  it('starts each service again, limits its memory and its log, and checks its health', () => {
    for (const [name, { restart, mem_limit, logging, healthcheck }] of services) {
      expect(restart, name).toMatch(/^(unless-stopped|on-failure:\d)$/)
      expect(mem_limit, name).toMatch(/^\d+[gm]$/)
      expect(logging, name).toMatchObject({ options: { 'max-size': '20m' } })
      // `migrate` ends.
      if (name !== 'migrate') expect(healthcheck?.test?.length, name).toBeGreaterThan(1)
    }
  })

  it('builds the image once, and its processes have a root that is read-only and no capability', () => {
    expect(services.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['orrery'])
    const ours = services.filter(([, service]) => isOrrery(service))
    expect(ours.map(([name]) => name)).toEqual([
      'orrery',
      'migrate',
      'ingest',
      ...PROTOCOLS.map(({ id }) => `adapter-${id}`),
      'api',
      'notify',
    ])
    expect(ours.filter(([, { read_only, cap_drop }]) => read_only !== true || cap_drop?.[0] !== 'ALL')).toEqual([])
  })

  it('sets only variables that a process reads', () => {
    expect(
      unknownIn(services.filter(([, service]) => isOrrery(service)).flatMap(([, { environment = {} }]) => Object.keys(environment))),
    ).toEqual([])
  })

  it('has no secret in an environment, and gives each service exactly the secrets that it reads', () => {
    for (const [name, { environment = {}, secrets = [], command = [], entrypoint = [], healthcheck }] of services) {
      const values = Object.entries(environment).map(([variable, value]) => `${variable}=${value}`)
      expect(
        values.filter((line) => /^\w*(PASSWORD|SECRET|TOKEN|KEY)\w*=(?!\/run\/secrets\/)/.test(line)),
        name,
      ).toEqual([])
      const all = [...values, ...command, ...entrypoint, ...(healthcheck?.test ?? [])].join('\n')
      const found = [...all.matchAll(/\/run\/secrets\/([\w.-]+)/g)].map((match) => match[1] ?? '')
      const mounted = secrets.map((secret) => (typeof secret === 'string' ? secret : secret.target).split('/')[0] ?? '')
      expect(new Set(found), name).toEqual(new Set(mounted))
    }
    const sources = services.flatMap(([, { secrets = [] }]) =>
      secrets.map((secret) => (typeof secret === 'string' ? secret : secret.source)),
    )
    expect(new Set(sources)).toEqual(new Set(Object.keys(compose.secrets)))
    for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./secrets/${name}`)
  })

  it('lets a process connect as a ClickHouse user with no more rights than it needs', () => {
    const users = services.flatMap(([name, { environment = {}, secrets = [] }]) => {
      if (environment.ORRERY_CLICKHOUSE_USER === undefined) return []
      const password = secrets.find((secret) => typeof secret === 'object' && secret.target === 'clickhouse-password')
      return [[name, environment.ORRERY_CLICKHOUSE_USER, typeof password === 'object' ? password.source : ''] as const]
    })
    const expected = {
      migrate: 'admin',
      ingest: 'api',
      api: 'api',
      notify: 'api',
      ...Object.fromEntries(PROTOCOLS.map(({ id }) => [`adapter-${id}`, 'writer'])),
    }
    expect(Object.fromEntries(users.map(([name, user]) => [name, user]))).toEqual(expected)
    expect(users.filter(([, user, password]) => password !== `clickhouse-${user}`)).toEqual([])
  })

  it('keeps Kafka, PostgreSQL, Redis and the internal ports on networks without a way out, which only their users share', () => {
    const on = (network: string): string[] => services.filter(([, service]) => networksOf(service).includes(network)).map(([name]) => name)
    const adapters = PROTOCOLS.map(({ id }) => `adapter-${id}`)
    expect(
      Object.entries(compose.networks)
        .filter(([, network]) => network?.internal === true)
        .map(([name]) => name),
    ).toEqual([...['log', 'data', 'identity', 'metrics']])
    expect(on('log')).toEqual(['ingest', ...adapters, 'kafka'])
    expect(on('data')).toEqual(['migrate', 'ingest', ...adapters, 'api', 'notify', 'clickhouse'])
    expect(on('identity')).toEqual(['api', 'notify', 'postgres', 'redis'])
    for (const server of ['kafka', 'postgres', 'redis']) expect(networksOf(compose.services[server] as Service)).toHaveLength(1)
    expect(on('public')).toEqual(['orrery', 'api', 'proxy'])
  })

  it('makes traces, and gives adapters a way to other machines, only together with the file that is for it', () => {
    const traces = parse(read('infra/docker/traces.yml'), { merge: true }) as { readonly services: Readonly<Record<string, Service>> }
    expect(text).not.toContain('OTEL_')
    const tracing = services.filter(([name, service]) => isOrrery(service) && name !== 'migrate').map(([name]) => name)
    expect(Object.keys(traces.services)).toEqual(expect.arrayContaining(tracing))
    for (const [name, { environment, networks = [] }] of Object.entries(traces.services)) {
      expect(environment, name).toEqual({ OTEL_EXPORTER_OTLP_ENDPOINT: expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT:?') })
      const own = networksOf(compose.services[name] as Service)
      const isOut = (network: string): boolean => compose.networks[network]?.internal !== true
      expect(own.some(isOut), name).toBe(!name.startsWith('adapter-'))
      expect([...own, ...networksOf({ networks } as Service)].some(isOut), name).toBe(true)
    }
  })

  it('publishes ports on the loopback address only, except those of the proxy', () => {
    const open = services.filter(([, { ports = [] }]) => ports.some((port) => !port.startsWith('127.0.0.1:')))
    expect(open.map(([name]) => name)).toEqual(['proxy'])
  })

  it('uses the variables that .env.example describes', () => {
    const used = [...(text + read('infra/docker/traces.yml')).matchAll(/(?<!\$)\$\{(\w+):[-?]/g)].map((match) => match[1] ?? '')
    const described = [...read('.env.example').matchAll(/^#?(\w+)=/gm)].map((match) => match[1] ?? '')
    expect(described.sort()).toEqual([...new Set(used)].sort())
  })

  it('mounts files that exist', () => {
    for (const { file } of Object.values(compose.configs)) expect(read(file).length, file).toBeGreaterThan(0)
  })

  it('is scraped by Prometheus, service by service, in jobs with the name that the alerts expect', () => {
    const { scrape_configs: jobs } = parse(read('infra/prometheus/prometheus.yml')) as {
      readonly scrape_configs: readonly {
        readonly job_name: string
        readonly dns_sd_configs?: readonly { readonly names: readonly string[] }[]
      }[]
    }
    const ours = jobs.filter(({ dns_sd_configs: found }) => found !== undefined)
    expect(ours.filter(({ job_name: name }) => !name.startsWith('orrery'))).toEqual([])
    const scraped = ours.flatMap(({ dns_sd_configs: found = [] }) => found.flatMap(({ names }) => names))
    const serving = services.filter(([name, service]) => isOrrery(service) && name !== 'migrate').map(([name]) => name)
    expect(scraped).toEqual(serving)
    expect(serving.filter((name) => !networksOf(compose.services[name] as Service).includes('metrics'))).toEqual([])
  })
})

describe('the manifests of Kubernetes', () => {
  const base = 'infra/kubernetes/base'
  interface Container {
    readonly env?: readonly { readonly name: string; readonly value: string }[]
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
    readonly resources: unknown
    readonly securityContext: unknown
  }
  interface Workload {
    readonly kind: string
    readonly metadata: { readonly name: string }
    readonly spec: {
      readonly template: {
        readonly spec: {
          readonly securityContext: unknown
          readonly containers: readonly Container[]
          readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[]
        }
      }
    }
  }
  const documents = ['migrate', 'ingest', 'adapter/adapter', 'api', 'notify'].flatMap((name) =>
    parseAllDocuments(read(`${base}/${name}.yaml`)).map((document) => document.toJS() as Workload),
  )
  const workloads = documents.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  const overlay = parse(read('infra/kubernetes/overlays/example/kustomization.yaml')) as {
    readonly secretGenerator: readonly { readonly name: string; readonly files: readonly string[] }[]
    readonly configMapGenerator: readonly { readonly literals: readonly string[] }[]
    readonly components: readonly string[]
  }

  it('have an adapter for each protocol', () => {
    const kustomization = parse(read(`${base}/kustomization.yaml`)) as { readonly resources: readonly string[] }
    const adapters = kustomization.resources.filter((path) => path.startsWith('adapters/'))
    expect(adapters.sort()).toEqual(PROTOCOLS.map(({ id }) => `adapters/${id}`).sort())
    for (const { id } of PROTOCOLS)
      expect(read(`${base}/adapters/${id}/kustomization.yaml`)).toContain(`path: /spec/template/spec/containers/0/args/-, value: ${id} }`)
  })

  it('let OTLP out, and adapters to a token endpoint, only with a component that an overlay chooses', () => {
    interface Policy {
      readonly metadata: { readonly name: string }
      readonly spec: {
        readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> }
        readonly egress?: readonly { readonly ports: readonly { readonly port: number; readonly endPort?: number }[] }[]
      }
    }
    const component = (name: string): Policy =>
      parse(read(`infra/kubernetes/components/${name}/network-policy.yaml`), { merge: true }) as Policy
    const portsOf = ({ spec }: Policy): number[] =>
      (spec.egress ?? []).flatMap(({ ports }) => ports.flatMap(({ port, endPort = port }) => (port === endPort ? [port] : [port, endPort])))
    const always = parseAllDocuments(read(`${base}/network-policies.yaml`)).map((document) => document.toJS() as Policy)
    expect(always.flatMap(portsOf)).not.toContain(4318)
    const traces = component('traces')
    expect(traces.spec.podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'orrery' })
    expect(portsOf(traces)).toEqual([4317, 4318])
    const tokens = component('kafka-tokens')
    expect(tokens.spec.podSelector.matchLabels['app.kubernetes.io/component']).toBe('adapter')
    expect(portsOf(tokens)).toEqual([443])
    expect(overlay.components).toEqual(['../../components/prometheus-operator'])
  })

  it('set only variables that a process reads', () => {
    const names = workloads.flatMap(({ spec }) => spec.template.spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name)))
    const shared = overlay.configMapGenerator.flatMap(({ literals }) => literals.map((literal) => literal.split('=')[0] ?? ''))
    expect(unknownIn([...names, ...shared])).toEqual([])
  })

  it('run every process without root, with a root that is read-only, without a capability, with limits', () => {
    expect(workloads.map(({ metadata }) => metadata.name)).toEqual(['migrate', 'ingest', 'adapter', 'api', 'notify'])
    for (const { metadata, spec } of workloads) {
      const { securityContext, containers } = spec.template.spec
      expect(securityContext, metadata.name).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      for (const container of containers) {
        expect(container.securityContext, metadata.name).toEqual({
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        })
        expect(container.resources, metadata.name).toMatchObject({
          requests: { memory: expect.anything() },
          limits: { memory: expect.anything() },
        })
      }
    }
  })

  it('mount each secret that a process reads, and no other', () => {
    for (const { metadata, spec } of workloads) {
      const { containers, volumes } = spec.template.spec
      const read = containers.flatMap(({ env = [] }) => env.flatMap(({ value }) => /^\/run\/secrets\/orrery\/(.*)$/.exec(value)?.[1] ?? []))
      const name = volumes.find((volume) => volume.name === 'secrets')?.secret?.secretName
      const files = overlay.secretGenerator.find((secret) => secret.name === name)?.files ?? []
      expect(files.map((file) => file.replace(/^secrets\//, '')).sort(), metadata.name).toEqual([...read].sort())
    }
  })
})

describe('the units of systemd', () => {
  const units = globSync('infra/systemd/*.service').map((path) => ({ path, text: read(path) }))
  const lines = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '')

  it('set only variables that a process reads', () => {
    expect(units.length).toBeGreaterThan(0)
    expect(
      unknownIn([
        ...units.flatMap(({ text }) => lines(text, /^Environment=(\w+)=/gm)),
        ...lines(read('infra/systemd/orrery.env'), /^(\w+)=/gm),
      ]),
    ).toEqual([])
  })

  it('load each credential that a process reads, and no other', () => {
    for (const { path, text } of units.filter(({ text: all }) => all.includes('%d'))) {
      const loaded = lines(text, /^LoadCredential=([\w.-]+):/gm)
      // `migrate` reads a file for each user in the folder itself.
      const named = path.endsWith('migrate.service') ? ['writer', 'api', 'analyst'] : []
      expect([...named, ...lines(text, /%d\/([\w.-]+)/g)].sort(), path).toEqual(loaded.sort())
    }
  })
})
