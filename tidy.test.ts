// Rules of the repository that a machine can check: imports between packages, purity of folds, one place for the environment, pages that match the code.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PROTOCOLS as SHIPPED } from '@orrery/protocols'
import { METRICS } from '@orrery/service-kit'
import { describe, expect, it } from 'vitest'

const root = import.meta.dirname
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
const code = files.filter((path) => /\.tsx?$/.test(path))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.includes('/test/') || path.startsWith('packages/testkit/')

/** A protocol's package has the name of its id. */
const PROTOCOLS = SHIPPED.map(({ id }) => id)

/** What each package may import beside `errors`. Imports point one way: apps, then protocols, then protocol-kit, then ledger. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  tracing: [],
  ledger: [],
  'protocol-kit': ['ledger'],
  registry: ['ledger', 'protocol-kit'],
  pricing: ['ledger', 'protocol-kit'],
  'fold-kit': ['ledger', 'protocol-kit', 'pricing'],
  ...Object.fromEntries([...PROTOCOLS, 'toyswap'].map((id) => [id, ['ledger', 'protocol-kit', 'pricing', 'fold-kit']])),
  protocols: ['protocol-kit', 'registry', ...PROTOCOLS],
  'event-log': ['ledger', 'protocol-kit'],
  'read-model': ['ledger', 'protocol-kit', 'service-kit', 'tracing'],
  identity: [],
  client: [],
  explorer: ['client'],
  mcp: ['client', 'service-kit'],
  'service-kit': [],
  'stellar-rpc': ['ledger', 'tracing'],
  testkit: ['ledger', 'protocol-kit'],
  ingest: ['ledger', 'protocol-kit', 'registry', 'event-log', 'service-kit', 'stellar-rpc', 'pricing', 'protocols', 'tracing'],
  adapter: ['ledger', 'protocol-kit', 'registry', 'event-log', 'read-model', 'service-kit', 'pricing', 'protocols', 'tracing'],
  api: [
    'ledger',
    'protocol-kit',
    'registry',
    'read-model',
    'identity',
    'service-kit',
    'stellar-rpc',
    'pricing',
    'protocols',
    'tracing',
    ...PROTOCOLS,
  ],
  notify: ['read-model', 'identity', 'service-kit', 'protocols', 'registry', 'protocol-kit', 'tracing', 'api'],
  cli: [
    'ledger',
    'protocol-kit',
    'protocols',
    'registry',
    'event-log',
    'read-model',
    'identity',
    'service-kit',
    'stellar-rpc',
    'ingest',
    'adapter',
    'api',
    'notify',
    'mcp',
    'tracing',
  ],
}

/** Packages whose code must give the same result on any machine and on any day. */
const PURE_PACKAGES = ['ledger', 'protocol-kit', 'pricing', 'fold-kit', ...PROTOCOLS].map((name) => `packages/${name}/`)

const packageOf = (path: string): string | undefined => /^(?:packages|apps)\/([^/]+)\//.exec(path)?.[1]
const importsOf = (text: string): string[] => [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string)

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The files of each cycle (strongly connected component, Tarjan), sorted and joined by spaces. */
function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[] = []
  const visit = (path: string): void => {
    const own = order.size
    order.set(path, own)
    lowest.set(path, own)
    stack.push(path)
    const targets = edges.get(path) ?? []
    for (const target of targets) {
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) lowest.set(path, Math.min(lowest.get(path) ?? own, lowest.get(target) ?? own))
    }
    if (lowest.get(path) !== own) return
    const component = stack.splice(stack.indexOf(path))
    if (component.length > 1 || targets.includes(path)) cycles.push(component.sort().join(' '))
  }
  for (const path of edges.keys()) if (!order.has(path)) visit(path)
  return cycles
}

/** Has the text of samples for users of the API: an import of the client and a variable of their environment, neither of which it uses itself. */
const SAMPLE_TEXTS = 'apps/api/src/code-samples/code-samples.ts'

describe('the repository', () => {
  it('imports between packages point one way', () => {
    const wrong = code
      .filter((path) => !isTest(path))
      .flatMap((path) => {
        const own = packageOf(path)
        if (own === undefined) return []
        const allowed = [own, 'errors', ...(ARROWS[own] ?? []), ...(path === SAMPLE_TEXTS ? ['client'] : [])]
        return importsOf(read(path))
          .filter((name) => name.startsWith('@orrery/') && !allowed.includes(name.split('/')[1] as string))
          .map((name) => `${path} imports ${name}`)
      })
    expect(wrong).toEqual([])
  })

  it('the table of allowed imports lists every package', () => {
    const packages = [...new Set(code.map(packageOf).filter((name) => name !== undefined))].sort()
    expect(packages.filter((name) => !(name in ARROWS))).toEqual([])
  })

  it('no imports between files form a cycle, type-only imports included', () => {
    const known = new Set(code)
    const importsOfFile = new Map(
      code.map((path) => [
        path,
        importsOf(read(path)).flatMap((name) =>
          name.startsWith('.') && known.has(join(dirname(path), name)) ? [join(dirname(path), name)] : [],
        ),
      ]),
    )
    expect(cyclesOf(importsOfFile)).toEqual([])
  })

  it('each file outside of its package that a package reads is declared to turbo, so that a cached test result is not an old one', () => {
    const undeclared = code.flatMap((path) => {
      const own = /^(?:packages|apps)\/[^/]+\//.exec(path)?.[0]
      if (own === undefined) return []
      const declared = [
        '$TURBO_ROOT$/recordings/**',
        '$TURBO_ROOT$/docs/**',
        existsSync(join(root, own, 'turbo.json')) ? read(`${own}turbo.json`) : '',
      ].join('\n')
      return [...read(path).matchAll(/new URL\(['`]((?:\.\.\/)+[^'`$]+)/g)]
        .map((match) => join(dirname(path), match[1] as string))
        .filter(
          (target) =>
            target !== './' && target !== '.' && !target.startsWith('..') && !target.startsWith(own) && existsSync(join(root, target)),
        )
        .filter((target) => !declared.includes(`$TURBO_ROOT$/${target.split('/')[0]}/**`) && !declared.includes(`$TURBO_ROOT$/${target}"`))
        .map((target) => `${path} reads ${target}`)
    })
    expect(undeclared).toEqual([])
  })

  it('a package that keeps `protocols` out of its transit and reads networks in tests declares the networks to turbo', () => {
    // Others have `protocols`, and through it `registry` with its networks, in the hash of their transit.
    const readsNetworks = code.filter((path) => isTest(path) && importsOf(read(path)).includes('@orrery/protocols'))
    const folders = new Set(readsNetworks.flatMap((path) => /^(?:packages|apps)\/[^/]+\//.exec(path)?.[0] ?? []))
    const undeclared = [...folders].filter((folder) => {
      const turbo = existsSync(join(root, folder, 'turbo.json')) ? read(`${folder}turbo.json`) : ''
      const hasProtocols = read(`${folder}package.json`).includes('"@orrery/protocols"') && !turbo.includes('"transit": {')
      return !hasProtocols && !/\$TURBO_ROOT\$\/packages\/(?:registry\/networks\/)?\*\*"/.test(turbo)
    })
    expect(undeclared).toEqual([])
  })

  it('one file imports what kafkajs does not export', () => {
    const inside = code.filter((path) => !isTest(path) && /'kafkajs\/src\//.test(read(path)))
    expect(inside).toEqual(['packages/event-log/src/kafka/kafkajs-internals.ts'])
  })

  it('package-lock.json has the packages of every platform, without which `npm ci` refuses it', () => {
    const locked = JSON.parse(read('package-lock.json')).packages as Readonly<Record<string, LockedPackage>>
    const isLocked = (name: string, parent: string): boolean =>
      `node_modules/${name}` in locked || `${parent}/node_modules/${name}` in locked
    const missing = Object.entries(locked).flatMap(([parent, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(name, parent)),
    )
    expect(missing, '`npm run lock` adds them').toEqual([])
  })

  it('a package is imported only through its exports', () => {
    const wrong = code.flatMap((path) =>
      importsOf(read(path))
        .filter((name) => name.startsWith('.') && packageOf(join(dirname(path), name)) !== packageOf(path))
        .filter(() => packageOf(path) !== undefined)
        .map((name) => `${path} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('no clock, randomness, file or network is used by packages that must be pure', () => {
    const forbidden =
      /\bDate\.now\(|new Date\(\)|Math\.random\(|performance\.now\(|\bfetch\(|from 'node:(?:fs|net|http|https|child_process|os)/
    const wrong = code.filter(
      (path) => PURE_PACKAGES.some((folder) => path.startsWith(folder)) && !isTest(path) && forbidden.test(read(path)),
    )
    expect(wrong).toEqual([])
  })

  it('only env.ts reads the environment', () => {
    // The runner's own settings cannot import a package.
    const except = ['tidy.test.ts', 'vitest.config.ts', 'scripts/time-limit-runner.ts', SAMPLE_TEXTS]
    const wrong = code.filter((path) => !except.includes(path) && !/(^|\/)env\.ts$/.test(path) && /process\.env\b/.test(read(path)))
    expect(wrong).toEqual([])
  })

  it('every error code of a process has a section in the pages', () => {
    const headings = (page: string) => [...read(page).matchAll(/^##+ `(\w+)`$/gm)].map((match) => match[1] as string)
    const sources = code.filter((path) => !isTest(path) && !path.includes('/testing/')).map((path) => ({ path, text: read(path) }))
    // A code stands beside its error, in a call of a helper that makes errors of several codes, or in the fields of a log line.
    const found = sources.flatMap(({ text }) => [
      ...text.matchAll(/new OrreryError\(\s*'\w+',\s*'(\w+)'/g),
      ...text.matchAll(/\b(?:refused|misuse)\(\s*'(\w+)'/g),
      ...text.matchAll(/\b(?:check|new ByteReader)\([^\n]*?, '(\w+)', '/g),
      ...text.matchAll(/\bcode: '(\w+)' \},/g),
    ])
    const onTheWire = headings('docs/errors.md')
    const codes = new Set(found.map((match) => match[1] as string).filter((name) => !onTheWire.includes(name)))
    expect(headings('docs/operations/messages.md').sort()).toEqual([...codes].sort())
    // Every other file writes the code where it makes the error, so that the search above finds it.
    const helpers = sources.filter(({ text }) => /new OrreryError\(\s*[\w.'[\]]+,\s*[^\s']/.test(text)).map(({ path }) => path)
    expect(helpers.sort()).toEqual([
      'apps/api/src/errors.ts',
      'apps/ingest/src/resume.ts',
      'packages/errors/src/orrery-error.ts',
      'packages/event-log/src/byte-reader.ts',
      'packages/identity/src/store/check.ts',
      'packages/read-model/src/run-query.ts',
    ])
  })

  it('the section of every error code names what is safe and what to do', () => {
    const sections = read('docs/operations/messages.md').split(/^### /m).slice(1)
    expect(sections.filter((section) => !/^\S+\n\n\S[\s\S]*\*\*Safe:\*\* \S[\s\S]*\*\*Do:\*\* \S/.test(section))).toEqual([])
  })

  it('every declared metric is used', () => {
    const counting = code.filter((path) => !isTest(path)).map(read)
    expect(Object.keys(METRICS).filter((name) => !counting.some((text) => new RegExp(`etrics\\.${name}\\b`).test(text)))).toEqual([])
  })

  it('no file has unfinished marks, silenced checks, skipped or focused tests', () => {
    const marks = new RegExp(
      ['\\b(TO' + 'DO|FIX' + 'ME|XX' + 'X|HA' + 'CK)\\b', '@ts-' + '(ignore|expect-error)', 'biome-' + 'ignore'].join('|'),
    )
    const skipped = new RegExp('\\b(it|test|describe)\\.(sk' + 'ip|on' + 'ly|to' + 'do)\\(')
    expect(code.filter((path) => marks.test(read(path)) || skipped.test(read(path)))).toEqual([])
  })

  it('no source file is longer than 400 lines, and no test file longer than 450', () => {
    const limitLines = (path: string): number => (isTest(path) ? 450 : 400)
    const written = code.filter((path) => !path.includes('/generated/'))
    expect(written.filter((path) => read(path).split('\n').length > limitLines(path))).toEqual([])
  })

  it('every file name is kebab-case', () => {
    expect(code.filter((path) => !/^[a-z0-9.\-/]+$/.test(path))).toEqual([])
  })

  it('every package has a README, and every module a header or a docstring above its one export', () => {
    const folders = [...new Set(code.map((path) => /^(?:packages|apps)\/[^/]+/.exec(path)?.[0]).filter((folder) => folder !== undefined))]
    expect(folders.filter((folder) => !existsSync(join(root, folder, 'README.md')))).toEqual([])
    const isDocumented = (text: string): boolean => /^(\/\/|\/\*\*|#!)/.test(text) || /\*\/\nexport const \w+ = define/.test(text)
    const headless = code.filter((path) => !isTest(path) && !path.endsWith('/index.ts') && !isDocumented(read(path)))
    expect(headless).toEqual([])
  })

  it('every page has one title, and every link leads to a file', () => {
    const pages = files.filter((path) => path.endsWith('.md') && !path.startsWith('recordings/'))
    const titles = pages.filter((path) => {
      const outsideOfCode = read(path).replace(/^```[\s\S]*?^```/gm, '')
      return (outsideOfCode.match(/^# /gm) ?? []).length !== 1
    })
    expect(titles).toEqual([])
    const broken = pages.flatMap((path) =>
      [...read(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map((match) => match[1] as string)
        .filter((target) => !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path} -> ${target}`),
    )
    expect(broken).toEqual([])
  })

  it('the repository does not mention files outside of it', () => {
    const words = new RegExp(['/wo' + 'rk/', '\\.\\./sha' + 'red/(design|style|spec|reference)'].join('|'))
    expect(
      files.filter((path) => /\.(tsx?|css|html|md|mjs|json|yml)$/.test(path) && !path.startsWith('recordings/') && words.test(read(path))),
    ).toEqual([])
  })
})
