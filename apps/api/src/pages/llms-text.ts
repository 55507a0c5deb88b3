// /llms.txt: what the API offers, for programs that read text. The format is that of llmstxt.org: a title, a summary, lists of links.

import type { OpenApiDocument } from '../openapi.ts'
import { guides } from './guide-pages.ts'

export function llmsText({ info, tags, paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const lists = tags.map(({ name, description }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ path, method, operation }) => {
        const address = `/docs/plain#${operation.operationId}`
        return `- [${method.toUpperCase()} ${path}](${address}): ${operation.summary}`
      })
    return `## ${name}\n\n${description}\n\n${lines.join('\n')}`
  })
  const [summary = '', ...facts] = info.description.split('\n\n')
  return `# ${info.title} API\n\n> ${summary.replaceAll('\n', ' ')}

${facts.join('\n\n')}

## Documents

- [OpenAPI 3.1](/openapi.json): every parameter, member and error, with an example of each operation
- [Reference without script](/docs/plain)
- [Errors](/docs/errors): every code with its cause and its fix

## Guides

${guides()
  .map(({ path, title, about }) => `- [${title}](${path}): ${about}`)
  .join('\n')}

${lists.join('\n\n')}
`
}
