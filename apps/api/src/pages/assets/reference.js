// Draws the reference. Examples name this origin instead of the one of the demo.
const DEMO_ORIGIN = 'http://localhost:8080'

const draw = async () => {
  const response = await fetch('/openapi.json')
  const text = await response.text()
  globalThis.Scalar.createApiReference('#reference', {
    content: JSON.parse(text.replaceAll(DEMO_ORIGIN, location.origin)),
    agent: { disabled: true },
    authentication: { preferredSecurityScheme: 'apiKey' },
    defaultOpenFirstTag: true,
    documentDownloadType: 'none',
    hiddenClients: true,
    hideClientButton: true,
    mcp: { disabled: true },
    orderSchemaPropertiesBy: 'preserve',
    persistAuth: false,
    showDeveloperTools: 'never',
    telemetry: false,
    theme: 'default',
    withDefaultFonts: false,
  })
}

/**
 * What Scalar leaves out for screen readers: the state of inputs for credentials, which have the role of a combobox; and example answers are one landmark
 * after another with the same name.
 */
const complete = () => {
  for (const input of document.querySelectorAll('[role="combobox"]:not([aria-expanded])')) input.setAttribute('aria-expanded', 'false')
  for (const card of document.querySelectorAll('.response-card[role="region"]')) card.setAttribute('role', 'group')
}

new MutationObserver(complete).observe(document.body, { childList: true, subtree: true })
draw().catch((error) => {
  document.querySelector('#reference').textContent = `The reference could not be drawn: ${error}. /docs/plain needs no script.`
})
