// What every page of the documentation has in common: its frame and its policy.

/** A text that is the same for every client until the next build. */
export interface Page {
  readonly path: string
  /** Content type. */
  readonly type: string
  /** Made at the first request: a start does not wait for it. */
  body(): string
  /** `content-security-policy`. */
  readonly policy: string
}

/** No page may show ours in a frame, send a form or change the base of links. */
const SHARED_POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Of pages without script: they load stylesheets of this origin and the empty icon in their head. */
export const STATIC_POLICY = `default-src 'none'; style-src 'self'; img-src data:; ${SHARED_POLICY}`

/**
 * Of the reference. Scripts, requests and images are limited to this origin; nothing is evaluated, and no script is inline. Scalar adds style
 * elements and attributes whose text depends on what is shown, so inline styles are allowed here (docs/decisions/0045).
 */
export const REFERENCE_POLICY = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; ${SHARED_POLICY}`

/** Of the explorer: scripts, styles and requests of this origin only, none of them inline. */
export const EXPLORER_POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; ${SHARED_POLICY}`

const LINKS = [
  ['/explore', 'Explorer'],
  ['/docs', 'Reference'],
  ['/docs/guides', 'Guides'],
  ['/docs/errors', 'Errors'],
  ['/openapi.json', 'OpenAPI'],
] as const

/** The bar at the top of every page: no `<header>`, because the reference has one of its own on a phone. */
export function navigation(path: string): string {
  const links = LINKS.map(([to, text]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ''}>${text}</a>`)
  return `<nav class="bar" aria-label="Documentation"><a class="name" href="/docs">Orrery</a>${links.join('')}</nav>`
}

/** A page without script. `content` gives HTML that begins with the one `<h1>`. */
export function staticPage(path: string, title: string, content: () => string): Page {
  const body = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Orrery</title>
<link rel="stylesheet" href="/docs/assets/bar.css">
<link rel="stylesheet" href="/docs/assets/pages.css">
<link rel="icon" href="data:,">
</head>
<body>
${navigation(path)}
<main>
${content()}
</main>
</body>
</html>
`
  return { path, type: 'html', body, policy: STATIC_POLICY }
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
